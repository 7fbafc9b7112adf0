import { orderAlert } from "./order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { RefundRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";
import type { RefundSettled, RefundSettlement } from "./refund-commands.ts";
import { applyRefundNews } from "./refund-news.ts";
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
  if (refund.key_attempt !== command.key_attempt) return unchanged;

  if (typeof news === "string") {
    if (refund.state !== "pending") return unchanged;
    return notePursuit(order, refund, { ...command, news });
  }

  const told = { order, refunds, refund, news, is_known: true, within_call, ids, now };
  const applied = applyRefundNews(told);
  if (!applied) return unchanged;

  const { changes, ...result } = applied;
  return { result, changes };
}

type Pursued = RefundSettlement & { readonly news: "sending" | "no_answer" | "given_up" };

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
    // The key lives from the first time that it was sent.
    requested_at: news === "sending" ? (before.requested_at ?? now) : before.requested_at,
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
