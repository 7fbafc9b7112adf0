import { iso } from "../../domain/text/iso.ts";
import type { PaymentFee } from "../../rules/payments/fees/payment-fee.ts";
import type { AttemptRecord, PaymentRecord } from "../../rules/payments/payment-records.ts";
import type { EventRecord } from "../../rules/records.ts";
import { type Refund, renderRefund } from "../../rules/refunds/render-refund.ts";
import type { DeliveryRecord } from "../../rules/webhooks/webhook-records.ts";
import type { OrderHistory } from "../../storage/back-office-store.ts";
import { type Delivery, renderDelivery } from "../webhooks/deliveries.ts";
import { eventTime, type OwnerEvent } from "../webhooks/events.ts";
import { type OwnerDispute, renderDispute } from "./disputes.ts";

/** A payment that was tried. */
export interface OwnerAttempt {
  /** Begins with `pay_`. */
  readonly id: string;
  readonly gateway: string;
  readonly state: AttemptRecord["state"];
  /** The provider's id of what was asked for. */
  readonly reference: string | null;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: AttemptRecord["failure_code"];
  /** The provider's own code of the refusal, e.g. `insufficient_funds`. */
  readonly decline_code: string | null;
  /** What the provider keeps of the money. Null when it did not tell. */
  readonly fee: PaymentFee | null;
  /** A time in ISO 8601, in UTC. */
  readonly updated_at: string;
}

/** Money that came for an order. */
export interface OwnerMoney {
  readonly id: string;
  readonly gateway: string;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  readonly state: PaymentRecord["state"];
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** A time in ISO 8601, in UTC. */
  readonly updated_at: string;
}

/** An event of the timeline. `owner.events.retrieve` gives its payload. */
export type TimelineEvent = Pick<OwnerEvent, "id" | "type" | "sequence">;

/** Something that happened to an order. The time `at` is in ISO 8601, in UTC. */
export type OwnerTimelineEntry =
  | { readonly type: "order_created" | "order_paid"; readonly at: string }
  | { readonly type: "attempt"; readonly at: string; readonly attempt: OwnerAttempt }
  | { readonly type: "payment"; readonly at: string; readonly payment: OwnerMoney }
  | { readonly type: "refund"; readonly at: string; readonly refund: Refund }
  | { readonly type: "dispute"; readonly at: string; readonly dispute: OwnerDispute }
  | { readonly type: "event"; readonly at: string; readonly event: TimelineEvent }
  /** `at` is the time of its event. `updated_at` tells when its state changed last. */
  | { readonly type: "delivery"; readonly at: string; readonly delivery: Delivery }
  | {
      readonly type: "note";
      readonly at: string;
      readonly note: { readonly id: string; readonly text: string };
    };

/** An event with its deliveries. */
export interface DeliveredEvent {
  readonly event: EventRecord;
  readonly deliveries: readonly DeliveryRecord[];
}

/**
 * Sorts what happened by its time. Entries of one time stand in the order of the
 * steps of a sale. The newest event comes first in `events`.
 */
export function timelineOf(
  history: OrderHistory,
  events: readonly DeliveredEvent[],
): readonly OwnerTimelineEntry[] {
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
    ...disputes.map((dispute) => ({
      type: "dispute" as const,
      at: iso(dispute.created_at),
      dispute: renderDispute({ dispute, order }),
    })),
    ...notes.toReversed().map(({ id, text, created_at }) => ({
      type: "note" as const,
      at: iso(created_at),
      note: { id, text },
    })),
    ...events.toReversed().flatMap(eventEntries),
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
    decline_code: attempt.decline_code ?? null,
    fee: attempt.fee ?? null,
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

const eventEntries = ({ event, deliveries }: DeliveredEvent): readonly OwnerTimelineEntry[] => {
  const { id, type, sequence } = event;
  const at = eventTime(event);
  return [
    { type: "event", at, event: { id, type, sequence } },
    ...deliveries.map((delivery) => ({
      type: "delivery" as const,
      at,
      delivery: renderDelivery(delivery),
    })),
  ];
};
