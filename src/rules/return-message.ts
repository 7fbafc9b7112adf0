import { orderAlert } from "./order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { PaymentRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";
import type { RefundMessage, RefundMessageResult } from "./refund-commands.ts";

/**
 * The provider has sent back money that did not pay the order. It marks that money
 * and its attempt; the order's sums are about the money that paid it.
 */
export function returnByProvider(
  { attempts }: OrderSnapshot,
  order: OrderRecord,
  payment: PaymentRecord,
  { news, ids, now }: RefundMessage,
): Decision<RefundMessageResult> {
  const isWhole = news.status === "succeeded" && news.amount >= payment.amount;
  const isBack = payment.state === "returned";
  if (isWhole && !isBack) {
    const returned = { state: "returned", check_at: null, updated_at: now } as const;
    const duplicates = attempts.filter(
      ({ id, state }) => id === payment.id && state === "duplicate",
    );
    return {
      result: { outcome: "applied", order },
      changes: orderChanges({
        order,
        payments: [{ ...payment, ...returned }],
        attempts: duplicates.map((attempt) => ({ ...attempt, ...returned })),
      }),
    };
  }

  // Maintenance asks about a return of its own that is under way, and tries again when it failed.
  if (news.status !== "failed" || !isBack) return withoutChanges({ outcome: "unchanged", order });

  const failed: PaymentRecord = {
    ...payment,
    state: "return_failed",
    check_at: null,
    updated_at: now,
  };
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type: "return_failed",
    subject: payment.id,
    data: { amount: payment.amount, currency: payment.currency, reference: news.reference },
    now,
  });
  return {
    result: { outcome: "applied", order },
    changes: orderChanges({ order, payments: [failed], alerts: [alert] }),
  };
}
