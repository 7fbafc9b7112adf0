import type { AttemptRecord, DisputeRecord, PaymentRecord } from "../rules/payment-records.ts";
import { iso } from "../rules/render.ts";
import { type Refund, renderRefund } from "../rules/render-refund.ts";
import type { OrderHistory } from "../storage/back-office-store.ts";

/** A payment that was tried. */
export interface OwnerAttempt {
  /** `pay_…` */
  readonly id: string;
  readonly gateway: string;
  readonly state: AttemptRecord["state"];
  /** The provider's id of what was asked for. */
  readonly reference: string | null;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: AttemptRecord["failure_code"];
  /** ISO 8601 UTC. */
  readonly updated_at: string;
}

/** Money that came. */
export interface OwnerMoney {
  readonly id: string;
  readonly gateway: string;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  readonly state: PaymentRecord["state"];
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** ISO 8601 UTC. */
  readonly updated_at: string;
}

export interface TimelineDispute {
  /** The provider's id of the dispute. */
  readonly id: string;
  /** Minor units. */
  readonly amount: number;
  readonly reason: string | null;
  /** ISO 8601 UTC: evidence is accepted until then. */
  readonly due_by: string | null;
  readonly outcome: DisputeRecord["outcome"];
  /** ISO 8601 UTC. */
  readonly updated_at: string;
}

/** Something that happened to an order. `at` is ISO 8601 UTC. */
export type OwnerTimelineEntry =
  | { readonly type: "order_created" | "order_paid"; readonly at: string }
  | { readonly type: "attempt"; readonly at: string; readonly attempt: OwnerAttempt }
  | { readonly type: "payment"; readonly at: string; readonly payment: OwnerMoney }
  | { readonly type: "refund"; readonly at: string; readonly refund: Refund }
  | { readonly type: "dispute"; readonly at: string; readonly dispute: TimelineDispute }
  | {
      readonly type: "note";
      readonly at: string;
      readonly note: { readonly id: string; readonly text: string };
    };

/** Sorts what happened by its time; of one time, in the order in which a sale goes. */
export function timelineOf(history: OrderHistory): readonly OwnerTimelineEntry[] {
  const { order, attempts, payments, refunds, disputes, notes } = history;

  const entries: readonly OwnerTimelineEntry[] = [
    { type: "order_created", at: iso(order.created_at) },
    ...attempts.map(attemptEntry),
    ...payments.map(paymentEntry),
    ...(order.paid_at === null ? [] : [{ type: "order_paid", at: iso(order.paid_at) } as const]),
    ...refunds.map((refund) => ({
      type: "refund" as const,
      at: iso(refund.created_at),
      refund: renderRefund(refund),
    })),
    ...disputes.map(disputeEntry),
    ...notes.toReversed().map(({ id, text, created_at }) => ({
      type: "note" as const,
      at: iso(created_at),
      note: { id, text },
    })),
  ];
  return [...entries].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const attemptEntry = (attempt: AttemptRecord): OwnerTimelineEntry => ({
  type: "attempt",
  at: iso(attempt.created_at),
  attempt: {
    id: attempt.id,
    gateway: attempt.gateway,
    state: attempt.state,
    reference: attempt.reference,
    amount: attempt.amount,
    currency: attempt.currency,
    failure_code: attempt.failure_code,
    updated_at: iso(attempt.updated_at),
  },
});

const paymentEntry = (payment: PaymentRecord): OwnerTimelineEntry => ({
  type: "payment",
  at: iso(payment.created_at),
  payment: {
    id: payment.id,
    gateway: payment.gateway,
    payment_reference: payment.payment_reference,
    state: payment.state,
    amount: payment.amount,
    currency: payment.currency,
    updated_at: iso(payment.updated_at),
  },
});

const disputeEntry = (dispute: DisputeRecord): OwnerTimelineEntry => ({
  type: "dispute",
  at: iso(dispute.created_at),
  dispute: {
    id: dispute.id,
    amount: dispute.amount,
    reason: dispute.reason,
    due_by: dispute.due_by === null ? null : iso(dispute.due_by),
    outcome: dispute.outcome,
    updated_at: iso(dispute.updated_at),
  },
});
