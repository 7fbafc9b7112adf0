import { z } from "zod";
import {
  failureCodes,
  paymentMethodTypes,
  RefundReason,
  subscriptionStatuses,
} from "../contract/schemas.ts";
import { maskTaxId } from "../domain/text/mask.ts";
import { clean, foreignId, isoWithOffset, pageSize, text } from "../input/fields.ts";
import type { BuyerFacts } from "../rules/orders/order-commands.ts";

const CustomerInput = z.strictObject({
  id: foreignId.nullish(),
  email: text(254).nullish(),
  name: text(200).nullish(),
  discord_id: text(64).nullish(),
  /**
   * A CPF or CNPJ as the buyer typed it. Only its masked form is stored;
   * other text is dropped.
   */
  tax_id: z.unknown().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code of two letters")
    .nullish(),
});

/** Names the store and mode that an order, a session or a subscription belongs to. */
export const PartitionInput = z.strictObject({ store_id: foreignId, livemode: z.boolean() });
export interface PartitionInput extends z.input<typeof PartitionInput> {}

const reference = text(255);
/** In minor units. */
const amount = z.int().min(0);
/** An ISO 4217 code in upper case. */
const currency = z.string();

/** Names the buyer's way to pay, and holds what the gateway needs for it. */
export const SubmitInput = z.strictObject({
  payment_method_id: foreignId.nullish(),
  customer: CustomerInput.nullish(),
  /**
   * Facts for the gateway alone, e.g. a card token or the number of installments. They are
   * never stored.
   */
  input: z.record(z.string(), z.unknown()).nullish(),
  /**
   * A key of this submission: a second call with the same key starts no
   * second payment.
   */
  idempotency_key: text(255).nullish(),
  /**
   * The `version` of the session that the buyer has seen. When the session was changed since,
   * nothing is submitted.
   */
  session_version: z.int().min(1).nullish(),
  /**
   * True when the page can show the element of a gateway. False when the buyer pays on the
   * provider's page: a payment that waits in an element is canceled for it.
   */
  on_page: z.boolean().nullish(),
  /**
   * The words by which the buyer let the method be kept, so that the later periods of a
   * subscription are charged by it. They are stored with the subscription. Without them
   * nothing is kept, and the host charges the later periods.
   */
  consent: text(1_000).nullish(),
  /**
   * The buyer's address. The limit `payments` counts by it; without it the submission
   * is counted by no address.
   */
  ip: text(100).nullish(),
});
export interface SubmitInput extends z.input<typeof SubmitInput> {}

/** Says for how long goods are kept for a session. */
export const HoldInput = z.strictObject({
  ...PartitionInput.shape,
  /** In ISO 8601, with an offset or Z, and at most 24 hours ahead. */
  until: isoWithOffset,
  /**
   * The buyer's address. One address can have 20 open holds in a store and
   * mode; without it the hold is not counted.
   */
  ip: text(100).nullish(),
});
export interface HoldInput extends z.input<typeof HoldInput> {}

const paymentFields = {
  ...PartitionInput.shape,
  /** Your own id of the payment: a repeat with the same reference changes nothing. */
  reference,
  amount,
  currency,
  payment_method: z.strictObject({ type: z.enum(paymentMethodTypes) }).nullish(),
};

/** Reports a payment that the host's own code has taken for a session. */
export const CompleteInput = z.strictObject({
  ...paymentFields,
  status: z.enum(["paid", "failed"]),
  customer: CustomerInput.nullish(),
});
export interface CompleteInput extends z.input<typeof CompleteInput> {}

/** Reports a payment that the host's own code has seen for an order. */
export const MarkPaidInput = z.strictObject(paymentFields);
export interface MarkPaidInput extends z.input<typeof MarkPaidInput> {}

/** Says why the host's own code calls a payment failed. */
export const MarkFailedInput = z.strictObject({
  ...PartitionInput.shape,
  failure_code: z.enum(failureCodes).nullish(),
});
export interface MarkFailedInput extends z.input<typeof MarkFailedInput> {}

/** Tells the amount of a refund, and its reason. */
export const RefundInput = z.strictObject({
  ...PartitionInput.shape,
  /** Your own id of the refund: a repeat with the same reference changes nothing. */
  reference,
  /** In minor units. It is all that is left of the payment when it is left out. */
  amount: z.int().min(1).nullish(),
  reason: clean(RefundReason).nullish(),
  /**
   * Says that you have moved the money yourself. It is implied for a payment
   * that your own code took. Give the provider's id of the refund as `reference`,
   * so that its message does not count it again. `not_moved` settles a refund that
   * nobody asks about any more (alert `money_in_doubt`): no money went back.
   */
  moved: z.enum(["by_host", "not_moved"]).nullish(),
});
export interface RefundInput extends z.input<typeof RefundInput> {}

/** Selects the refunds of a list. */
export const RefundListInput = z.strictObject({
  ...PartitionInput.shape,
  order_id: foreignId.nullish(),
  /** From 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});
export interface RefundListInput extends z.input<typeof RefundListInput> {}

/** Reports a dispute that the host was told of. */
export const DisputeInput = z.strictObject({
  ...PartitionInput.shape,
  /**
   * The provider's id of the dispute: a repeat with the same reference
   * changes nothing.
   */
  reference,
  /** In minor units. It is the order's total when it is left out. */
  amount: z.int().min(1).nullish(),
  reason: text(500).nullish(),
  /** The time until which evidence is accepted, in ISO 8601 with an offset or Z. */
  due_by: isoWithOffset.nullish(),
});
export interface DisputeInput extends z.input<typeof DisputeInput> {}

/** Reports the result of a dispute that the host was told of. */
export const CloseDisputeInput = z.strictObject({
  ...PartitionInput.shape,
  /** The dispute was opened with this `reference`. */
  reference,
  outcome: z.enum(["won", "lost"]),
});
export interface CloseDisputeInput extends z.input<typeof CloseDisputeInput> {}

/**
 * In ISO 8601, with an offset or Z, and must equal the subscription's
 * `current_period_end`.
 */
const period_start = isoWithOffset;

/** Reports a period that the host's own code has charged. */
export const RenewInput = z.strictObject({
  ...PartitionInput.shape,
  period_start,
  reference,
  amount,
  currency,
});
export interface RenewInput extends z.input<typeof RenewInput> {}

/** Reports a renewal that could not be charged. */
export const RenewalFailedInput = z.strictObject({
  ...PartitionInput.shape,
  period_start,
  reference,
  failure_code: z.enum(failureCodes).nullish(),
  /** True when no further try can succeed without the buyer. */
  needs_buyer: z.boolean().nullish(),
});
export interface RenewalFailedInput extends z.input<typeof RenewalFailedInput> {}

/** Says when a subscription ends. */
export const CancelInput = z.strictObject({
  ...PartitionInput.shape,
  /** False ends access now. True, the default, ends it when the paid period is over. */
  at_period_end: z.boolean().nullish(),
});
export interface CancelInput extends z.input<typeof CancelInput> {}

/** Changes what each later period of a subscription costs. */
export const ChangePriceInput = z.strictObject({
  ...PartitionInput.shape,
  /** In minor units, for one piece. */
  unit_amount: z.int().min(1),
});
export interface ChangePriceInput extends z.input<typeof ChangePriceInput> {}

/** Changes what each later period of a subscription brings. */
export const UpdateSubscriptionInput = z.strictObject({
  ...PartitionInput.shape,
  quantity: z.int().min(1).max(999).nullish(),
  /** A product with the same interval and currency. Its price of now becomes the subscription's. */
  product_id: foreignId.nullish(),
});
export interface UpdateSubscriptionInput extends z.input<typeof UpdateSubscriptionInput> {}

/** Asks for a link at which the buyer pays the next period. */
export const PayLinkInput = z.strictObject({
  ...PartitionInput.shape,
  /** The buyer goes here after paying. `{CHECKOUT_SESSION_ID}` in the query is replaced. */
  success_url: text(2_000),
  /** The buyer goes here without paying. It is `success_url` by default. */
  cancel_url: text(2_000).nullish(),
});
export interface PayLinkInput extends z.input<typeof PayLinkInput> {}

/** Names an agreement that allows the charges of a subscription. */
export const AgreementInput = z.strictObject({
  ...PartitionInput.shape,
  /** The id of the gateway that knows it. */
  gateway: text(100),
  /** The provider's id of it. */
  reference: text(500),
});
export interface AgreementInput extends z.input<typeof AgreementInput> {}

/** Selects the subscriptions of a list. */
export const SubscriptionListInput = z.strictObject({
  ...PartitionInput.shape,
  customer_id: foreignId.nullish(),
  status: z.enum(subscriptionStatuses).nullish(),
  /** From 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});
export interface SubscriptionListInput extends z.input<typeof SubscriptionListInput> {}

export function readBuyer(customer: z.output<typeof CustomerInput> | null | undefined): BuyerFacts {
  const masked = maskTaxId(customer?.tax_id);
  return {
    id: customer?.id ?? null,
    email: customer?.email ?? null,
    name: customer?.name ?? null,
    discord_id: customer?.discord_id ?? null,
    tax_id: masked?.tax_id ?? null,
    tax_id_type: masked?.tax_id_type ?? null,
    country: customer?.country ?? null,
  };
}
