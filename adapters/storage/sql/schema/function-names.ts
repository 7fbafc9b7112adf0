/**
 * The functions that run on the node of one store, on Citus alone. A name ends with the
 * version of its text: processes of two versions of the library may use one database,
 * so a text that changes after a release gets a new name. It also needs a migration,
 * because the last one creates the functions for those who run them by a tool.
 */
export const functionNames = {
  lookUp: "look_up_v1",
  createSession: "create_session_v1",
  findCheckout: "find_checkout_v1",
  lockCheckout: "lock_checkout_v1",
  writeStep: "write_step_v2",
} as const;
