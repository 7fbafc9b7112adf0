import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { PaymentRecord, RefundRecord } from "../payments/payment-records.ts";
import { noteReturn } from "../payments/return-message.ts";
import type { OrderRecord } from "../records.ts";
import type { NamedMoney, RefundMessage, RefundMessageResult } from "./refund-commands.ts";
import { applyRefundReport } from "./refund-report.ts";

/**
 * Decides what a provider's message about a refund changes. The message is never
 * refused, because the money has moved. With `message_seen` the same message came
 * before, and nothing changes.
 */
export function decideRefundMessage(
  snapshot: OrderSnapshot,
  command: RefundMessage,
  message_seen: boolean,
): Decision<RefundMessageResult> {
  const { order, refunds, pools } = snapshot;
  const payment = findMoney(snapshot, command.money);
  if (!order || !payment) return withoutChanges({ outcome: "unknown_payment" });

  const unchanged = withoutChanges({ outcome: "unchanged", order } as const);
  if (message_seen) return unchanged;
  if (command.currency !== payment.currency) return noteMismatch(order, command);
  // A refund from before the money paid the order never counts for the order.
  const isOlder = payment.sent_back.some(({ reference }) => reference === command.report.reference);
  if (payment.state !== "booked" || isOlder)
    return noteReturn({ order, payment, attempts: snapshot.attempts }, command);

  const { report, ids, now } = command;
  const known = findRefund(refunds, command);
  const refund = known ?? madeAtProvider(payment, command);
  const reported = {
    order,
    refunds,
    refund,
    report,
    is_known: known !== null,
    within_call: false,
    pools,
    ids,
    now,
  };
  const applied = applyRefundReport(reported);
  if (!applied) return unchanged;
  return { result: { outcome: "applied", order: applied.order }, changes: applied.changes };
}

/** Finds the money that a message is about, when it came for this order. */
export const findMoney = (
  { payments }: OrderSnapshot,
  { gateway, account, payment_reference }: NamedMoney,
): PaymentRecord | undefined =>
  payments.find(
    (payment) =>
      payment.gateway === gateway &&
      payment.account === account &&
      payment.payment_reference === payment_reference,
  );

/**
 * Finds the record of the refund. Our id finds it until the provider has named it: one of
 * our ids can stand on two refunds of the provider, when the first was refused.
 */
function findRefund(
  refunds: readonly RefundRecord[],
  { refund_id, report }: RefundMessage,
): RefundRecord | null {
  const { reference } = report;
  const byId = refunds.find(
    ({ id, provider_reference }) => id === refund_id && provider_reference === null,
  );
  const byReference = refunds.find(({ provider_reference }) => provider_reference === reference);
  const byHost = refunds.find(
    (refund) => refund.moved === "by_host" && refund.reference === reference,
  );
  return byId ?? byReference ?? byHost ?? null;
}

/**
 * Makes the record of a refund that was made at the provider. It is booked, and
 * nothing is asked of the gateway.
 */
const madeAtProvider = (
  payment: PaymentRecord,
  { ids, report, now }: RefundMessage,
): RefundRecord => ({
  store_id: payment.store_id,
  livemode: payment.livemode,
  id: ids.refund,
  order_id: payment.order_id,
  attempt_id: payment.attempt_id,
  reference: ids.refund,
  state: "pending",
  amount: report.amount,
  reason: null,
  moved: "by_gateway",
  gateway: payment.gateway,
  account: payment.account,
  attempt_reference: null,
  payment_reference: payment.payment_reference,
  provider_reference: report.reference,
  failure_reason: null,
  key_attempt: 0,
  requested_at: null,
  acknowledged: true,
  asks_first: false,
  check_at: null,
  succeeded_at: null,
  created_at: now,
  updated_at: now,
});

/** Notes an amount of another currency. It cannot be booked, so the owner is told. */
function noteMismatch(
  order: OrderRecord,
  { report, currency, ids, now }: RefundMessage,
): Decision<RefundMessageResult> {
  const { reference, amount } = report;
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type: "refund_mismatch",
    subject: order.id,
    data: { reference, amount, currency },
    now,
  });
  return {
    result: { outcome: "mismatch", order },
    changes: orderChanges({ order, alerts: [alert] }),
  };
}
