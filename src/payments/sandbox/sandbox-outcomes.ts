/**
 * Lists what a sandbox payment can do. The field `outcome` of the submission's
 * `input` chooses one; without it the payment succeeds.
 */
export const sandboxOutcomes = [
  "succeed",
  "decline",
  "decline_then_succeed",
  "pending_then_succeed",
  "pending_then_fail",
  "timeout",
  "qr_code",
  "voucher",
  "three_d_secure",
  "refund_fails_later",
] as const;

/** Names the outcome of a sandbox payment. */
export type SandboxOutcome = (typeof sandboxOutcomes)[number];
