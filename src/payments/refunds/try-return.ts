import { fail } from "../../contract/errors.ts";
import { madeAt } from "../../rules/clock/mode-clock.ts";
import type { PaymentRecord } from "../../rules/payments/payment-records.ts";
import type {
  PaymentReturned,
  ReturningPayment,
  ReturnSettlement,
} from "../../rules/payments/return-commands.ts";
import type { RefundReport } from "../../rules/refunds/refund-commands.ts";
import { actionForUnknownRefund, refundKey } from "../../rules/refunds/refund-schedule.ts";
import { settleReturn, startReturn } from "../../steps/order-steps.ts";
import { eventIds, type PaymentContext } from "../context.ts";
import type { PaymentGateway } from "../gateway/gateway.ts";
import { askGateway } from "../gateway/gateway-calls.ts";
import { readRefund, reportOfCreation } from "../gateway/read-refund.ts";

/** Tries the return once, outside any transaction, and writes how it went. */
export async function tryReturn(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  money: PaymentRecord,
  asked_by: "owner" | "maintenance",
): Promise<PaymentRecord> {
  const { store_id, livemode, order_id, id: payment_id } = money;
  const started = await startReturn(ctx.storage.orders, {
    store_id,
    livemode,
    order_id,
    payment_id,
    asked_by,
    can_ask: gateway.getRefund !== undefined,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (started.outcome === "unknown_payment") return fail("resource_not_found");
  if (started.outcome === "invalid_transition") return fail("invalid_transition");
  if (started.outcome === "unchanged") return started.payment;

  const { payment, next, repeat } = started;
  const report = await sendOrAsk(ctx, gateway, { payment, repeat }, next);
  const settled = await settle(ctx, payment, report ?? "no_answer");
  return settled.outcome === "unknown_payment" ? payment : settled.payment;
}

/** A return whose try has begun. `repeat` says that its creation was sent before. */
interface StartedReturn {
  readonly payment: ReturningPayment;
  readonly repeat: boolean;
}

/**
 * Takes the next step of a return. Null means that there was no answer, or nobody
 * asked.
 */
async function sendOrAsk(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  { payment: money, repeat }: StartedReturn,
  next: "send" | "ask" | "wait",
): Promise<RefundReport | null> {
  if (next === "wait") return null;
  if (next === "send") return create(ctx, gateway, money, repeat);

  const answer = await lookUp(ctx, gateway, money);
  if (answer === null || answer.value !== null) return answer?.value ?? null;

  const { requested_at, pending: acknowledged } = money.return;
  const sent = { requested_at, acknowledged, created_at: requested_at ?? money.created_at };
  switch (actionForUnknownRefund(sent, (await ctx.clock.of(money)).now)) {
    case "send":
      return create(ctx, gateway, money, true);
    case "wait":
      return null;
    case "failed":
      return { status: "failed", reference: null, amount: null, failure_reason: null };
  }
}

/** Gives what a creation and a question name alike. */
const nameReturn = ({ store_id, account, payment_reference, return: way }: ReturningPayment) => ({
  id: refundKey({ id: way.refund_id, key_attempt: way.key_attempt }),
  store_id,
  account,
  payment_reference,
  amount: way.amount,
});

async function lookUp(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  money: ReturningPayment,
): Promise<{ readonly value: RefundReport | null } | null> {
  const { refund_id, refund_reference, requested_at } = money.return;
  const time = await ctx.clock.of(money);
  const created_at = madeAt(time, ["rf", refund_id], requested_at ?? money.created_at);

  return askGateway<RefundReport | null>(ctx, gateway, {
    subject: money.id,
    async ask(signal) {
      const query = { ...nameReturn(money), refund_reference, created_at, signal };
      const found = await gateway.getRefund?.(query);
      return found === null ? null : readRefund(gateway, found);
    },
    async takeLate(late) {
      if (late?.value) await settle(ctx, money, late.value);
    },
  });
}

async function create(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  money: ReturningPayment,
  repeat: boolean,
): Promise<RefundReport | null> {
  const attempt = await ctx.storage.orders.find("attempt", money, money.attempt_id);
  const { store_id, livemode, order_id, currency, payment_reference } = money;
  const reference = attempt?.reference ?? payment_reference;
  const { refund_id } = money.return;
  const metadata = { store_id, livemode, order_id, payment_id: money.attempt_id, refund_id };

  const answer = await askGateway<RefundReport>(ctx, gateway, {
    subject: money.id,
    async ask(signal) {
      const request = { ...nameReturn(money), repeat, reference, currency, metadata, signal };
      return readRefund(gateway, await gateway.refund?.(request));
    },
    async takeLate(late) {
      if (late) await settle(ctx, money, reportOfCreation(late.value, repeat));
    },
  });
  const report = answer ? reportOfCreation(answer.value, repeat) : "no_answer";
  return report === "no_answer" ? null : report;
}

async function settle(
  ctx: PaymentContext,
  { store_id, livemode, order_id, id, return: { key_attempt } }: ReturningPayment,
  report: ReturnSettlement["report"],
): Promise<PaymentReturned> {
  const settled = await settleReturn(ctx.storage.orders, {
    store_id,
    livemode,
    order_id,
    payment_id: id,
    key_attempt,
    report,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  ctx.committed({ store_id, livemode });
  return settled;
}
