import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import type { RefundNews, RefundSettled, RefundSettlement } from "./refund-commands.ts";
import { applyRefundNews, type RefundTold } from "./refund-news.ts";
import { nextRefundCheck } from "./refund-schedule.ts";

/** Records what became of the creation of one refund, or of a question about it. */
export function decideRefundResult(
  { order, refunds }: OrderSnapshot,
  command: RefundSettlement,
): Decision<RefundSettled> {
  const { news, within_call, ids, now } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const refund = refunds.find(({ id }) => id === command.refund_id);
  if (!refund) return withoutChanges({ outcome: "unknown_refund" });

  const unchanged = withoutChanges({ outcome: "unchanged", order, refund } as const);
  if (command.key_attempt > refund.key_attempt) return unchanged;

  const isOfEarlierKey = command.key_attempt < refund.key_attempt;
  if (typeof news === "string") {
    if (refund.state !== "pending" || isOfEarlierKey) return unchanged;
    if (news === "next_key" && !refund.asks_first) return unchanged;
    return notePursuit(order, refund, { ...command, news });
  }
  // Money that moved under an earlier key has moved all the same.
  if (isOfEarlierKey && news.status === "failed") return unchanged;

  const told = { order, refunds, refund, news, is_known: true, within_call, ids, now };
  const applied = isSecondRefund(refund, news)
    ? applyRefundNews(asMadeAtProvider(told, ids.refund))
    : applyRefundNews(told);
  if (!applied) return unchanged;

  const { changes, ...result } = applied;
  return { result, changes };
}

type Pursued = RefundSettlement & {
  readonly news: "sending" | "next_key" | "no_answer" | "given_up";
};

/**
 * Tells whether the provider speaks of a second refund: both keys of a refund that
 * was tried again have moved money. It is booked by itself.
 */
const isSecondRefund = (refund: RefundRecord, { reference, status }: RefundNews): boolean =>
  refund.key_attempt > 0 &&
  status !== "failed" &&
  reference !== null &&
  refund.provider_reference !== null &&
  refund.provider_reference !== reference;

/** Gives the second refund as one that was made at the provider. */
function asMadeAtProvider(told: RefundTold, id: string): RefundTold {
  const { refunds, refund: ours, news, now } = told;
  const known = refunds.find(({ provider_reference }) => provider_reference === news.reference);
  const second: RefundRecord = {
    ...ours,
    id,
    reference: id,
    state: "pending",
    reason: null,
    attempt_reference: null,
    provider_reference: news.reference,
    key_attempt: 0,
    requested_at: null,
    acknowledged: true,
    asks_first: false,
    check_at: null,
    succeeded_at: null,
    created_at: now,
    updated_at: now,
  };
  return { ...told, refund: known ?? second, is_known: known !== undefined };
}

/**
 * Notes that there is no news of the refund: its record tells when to ask again, or
 * that nobody does.
 */
function notePursuit(
  order: OrderRecord,
  before: RefundRecord,
  { news, ids, now }: Pursued,
): Decision<RefundSettled> {
  const refund: RefundRecord = {
    ...before,
    ...(news === "next_key" && { key_attempt: before.key_attempt + 1, asks_first: false }),
    requested_at: sentAt(before, news, now),
    check_at: news === "given_up" ? null : nextRefundCheck(before, now),
    updated_at: now,
  };
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type: "money_in_doubt",
    subject: refund.id,
    data: { reference: refund.provider_reference, amount: refund.amount },
    now,
  });

  return {
    result: { outcome: "pending", order, refund },
    changes: orderChanges({
      order,
      refunds: [refund],
      alerts: news === "given_up" ? [alert] : [],
    }),
  };
}

/** A key lives from the first time that it was sent. */
function sentAt({ requested_at }: RefundRecord, news: Pursued["news"], now: number): number | null {
  if (news === "next_key") return now;
  return news === "sending" ? (requested_at ?? now) : requested_at;
}
