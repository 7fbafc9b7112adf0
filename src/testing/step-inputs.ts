import { z } from "zod";
import { CheckoutRequest } from "../contract/request-bodies.ts";
import { check, refuse } from "../input/check.ts";
import { text } from "../input/fields.ts";
import { refuseUnknownOptions } from "../input/option-error.ts";
import { CancelInput, RefundInput, SubmitInput } from "../payments/inputs.ts";
import { sandboxOutcomes, sandboxRenewals } from "../payments/sandbox/sandbox-outcomes.ts";

const checkoutItem = CheckoutRequest.shape.items.element;
/** One line of a session. `variables` has what the buyer typed for the product. */
export interface CheckoutItem extends z.input<typeof checkoutItem> {}

/** What a session may have beside its items. Both addresses are `return_url` by default. */
export const CheckoutOptions = CheckoutRequest.omit({ items: true }).partial();
export interface CheckoutOptions extends z.input<typeof CheckoutOptions> {}

/** Says who pays a session, and how its payment ends. */
export const PayOptions = z.strictObject({
  /** How the sandbox ends the payment, `succeed` by default. */
  outcome: z.enum(sandboxOutcomes).optional(),
  /**
   * How the later charges of a kept method end, `succeed` by default. It needs
   * `consent`.
   */
  renewals: z.enum(sandboxRenewals).optional(),
  /**
   * The buyer's consent to keep the method: true, or the words of it. With it `advanceClock`
   * charges the later periods of a plan, without it the host does.
   */
  consent: z
    .union([z.boolean(), text(1_000)], "must be true or the words of the buyer's consent")
    .optional(),
  customer: SubmitInput.shape.customer,
});
export interface PayOptions extends z.input<typeof PayOptions> {}

/** Says how much of an order is refunded, and why. */
export const RefundOptions = RefundInput.pick({ amount: true, reason: true });
export interface RefundOptions extends z.input<typeof RefundOptions> {}

/** Says how a dispute is closed. */
export const DisputeOptions = z.strictObject({
  /** Left out, the dispute stays open. */
  outcome: z.enum(["won", "lost"]).optional(),
});
export interface DisputeOptions extends z.input<typeof DisputeOptions> {}

/** Says how the payment of a period ends. */
export const RenewOptions = z.strictObject({
  /** True when the period could not be charged. */
  failed: z.boolean().optional(),
});
export interface RenewOptions extends z.input<typeof RenewOptions> {}

/** Says when a subscription ends. */
export const CancelOptions = CancelInput.pick({ at_period_end: true });
export interface CancelOptions extends z.input<typeof CancelOptions> {}

/** Holds what a call of the API may have beside its method and path. */
export const CallOptions = z.strictObject({
  /** A key of the store, by default the secret one. */
  key: z.string().optional(),
  /** Anything that JSON can hold. */
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
export interface CallOptions extends z.input<typeof CallOptions> {}

/** Reads the options of a step. The error names a wrong one, and what is known in its place. */
export function readStep<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  if (typeof given !== "object" || given === null) return refuse("options", "must be an object");
  refuseUnknownOptions(given, schema.shape);
  return check(schema, given);
}
