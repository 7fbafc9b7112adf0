import { fail } from "../contract/errors.ts";

/** Refuses a reference of the host's that a payment of another order has. */
export const refuseTakenReference = (): never =>
  fail("parameter_conflict", {
    param: "reference",
    message: "This payment reference belongs to another order.",
  });
