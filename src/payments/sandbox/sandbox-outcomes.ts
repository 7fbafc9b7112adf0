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

/**
 * Lists what the charge of a saved sandbox method can do. The field `renewals` of the
 * first submission's `input` chooses one; without it each charge succeeds. An
 * `authentication_required` is refused until the buyer pays.
 */
export const sandboxRenewals = [
  "succeed",
  "decline",
  "decline_then_succeed",
  "pending_then_succeed",
  "pending_then_fail",
  "timeout",
  "authentication_required",
] as const;

/** Names the outcome of the charges of a saved sandbox method. */
export type SandboxRenewal = (typeof sandboxRenewals)[number];

/** Names the outcome of a sandbox payment. */
export type SandboxOutcome = (typeof sandboxOutcomes)[number];
