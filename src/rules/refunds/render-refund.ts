import { iso } from "../../domain/text/iso.ts";
import type { RefundRecord } from "../payments/payment-records.ts";

/** Money on its way back to the buyer. */
export interface Refund {
  /** The id begins with `rf_`. */
  readonly id: string;
  readonly order_id: string;
  /**
   * The money of this payment goes back. The id begins with `pay_`. Null means that
   * it is not known.
   */
  readonly payment_id: string | null;
  /** Your own id of the refund. Null means that it was made at the provider. */
  readonly reference: string | null;
  /** `pending` means that no result is known yet, and maintenance asks the gateway. */
  readonly status: "pending" | "succeeded" | "failed";
  /** The amount is in minor units of the order's currency. */
  readonly amount: number;
  readonly reason: RefundRecord["reason"];
  readonly moved: "by_gateway" | "by_host";
  /** The provider's id of the refund. */
  readonly provider_reference: string | null;
  /** Why the refund failed, in the provider's words. */
  readonly failure_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly succeeded_at: string | null;
}

export const renderRefund = (refund: RefundRecord): Refund => ({
  id: refund.id,
  order_id: refund.order_id,
  payment_id: refund.attempt_id,
  reference: refund.reference === refund.id ? null : refund.reference,
  status: refund.state,
  amount: refund.amount,
  reason: refund.reason,
  moved: refund.moved,
  provider_reference: refund.provider_reference,
  failure_reason: refund.failure_reason,
  created_at: iso(refund.created_at),
  updated_at: iso(refund.updated_at),
  succeeded_at: refund.succeeded_at === null ? null : iso(refund.succeeded_at),
});
