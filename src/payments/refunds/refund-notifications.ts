import type { DisputeResult } from "../../rules/disputes/dispute-commands.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { RefundMessageResult } from "../../rules/refunds/refund-commands.ts";
import * as steps from "../../steps/order-steps.ts";
import { eventIds, type PaymentContext } from "../context.ts";
import type {
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  RefundFact,
} from "../gateway/gateway-results.ts";

/** What became of money that came before: it went back, or the buyer's bank wants it back. */
export type MoneyFact = Extract<
  GatewayNotification,
  { readonly type: "refund" | "dispute_opened" | "dispute_closed" }
>;

export type MoneyFactResult =
  | { readonly outcome: "applied" | "unchanged"; readonly order_id: string }
  | { readonly outcome: "unknown_payment"; readonly order_id: null };

/**
 * Brings a fact about a refund or a dispute to the order that the money came for.
 * Only the provider names that money: an id of ours in the message counts within
 * that order alone, because a merchant can write any id into its own messages.
 */
export async function applyMoneyFact(
  ctx: PaymentContext,
  { gateway, livemode }: { readonly gateway: string; readonly livemode: boolean },
  fact: MoneyFact,
): Promise<MoneyFactResult> {
  const carriers = await ctx.storage.orders.findAttempts({
    gateway,
    livemode,
    account: fact.account ?? null,
    references: [fact.payment_reference],
    payment_id: null,
  });

  const orders = new Map(carriers.map((attempt) => [attempt.order_id, attempt]));
  for (const attempt of orders.values()) {
    const { outcome } = await applyToOrder(ctx, subjectOf(attempt, gateway, fact), fact);
    // An order can carry the reference although the money came for another one.
    if (outcome === "unknown_payment" || outcome === "unknown_order") continue;

    const { store_id, livemode: mode, order_id } = attempt;
    if (changesNothing(outcome)) return { outcome: "unchanged", order_id };
    ctx.committed({ store_id, livemode: mode });
    return { outcome: "applied", order_id };
  }
  return { outcome: "unknown_payment", order_id: null };
}

type Outcome = RefundMessageResult["outcome"] | DisputeResult["outcome"];

const changesNothing = (outcome: Outcome): boolean =>
  outcome === "unchanged" || outcome === "invalid_transition" || outcome === "unknown_dispute";

function applyToOrder(
  ctx: PaymentContext,
  subject: Subject,
  fact: MoneyFact,
): Promise<RefundMessageResult | DisputeResult> {
  switch (fact.type) {
    case "refund":
      return applyRefund(ctx, subject, fact);
    case "dispute_opened":
      return openDispute(ctx, subject, fact);
    case "dispute_closed":
      return closeDispute(ctx, subject, fact);
  }
}

/** Names the order, the message and the money as every command below does. */
const subjectOf = (
  { store_id, livemode, order_id }: AttemptRecord,
  gateway: string,
  { notification_id, account = null, payment_reference }: MoneyFact,
) => ({
  store_id,
  livemode,
  order_id,
  money: { gateway, account, payment_reference, notification_id },
});
type Subject = ReturnType<typeof subjectOf>;

function applyRefund(
  ctx: PaymentContext,
  subject: Subject,
  fact: RefundFact,
): Promise<RefundMessageResult> {
  const { status, reference, amount, currency, refund_id = null, failure_reason = null } = fact;

  return steps.applyRefundMessage(ctx.storage.orders, {
    ...subject,
    refund_id,
    currency,
    report: { status, reference, amount, failure_reason },
    ids: { ...eventIds(ctx), refund: ctx.newId("rf") },
    now: ctx.now(),
  });
}

function openDispute(
  ctx: PaymentContext,
  subject: Subject,
  fact: DisputeOpenedFact,
): Promise<DisputeResult> {
  const { reference, amount, reason = null, due_by = null, inquiry = false } = fact;

  return steps.openDispute(ctx.storage.orders, {
    ...subject,
    dispute: { id: reference, amount, reason, due_by },
    inquiry,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
}

const closeDispute = (
  ctx: PaymentContext,
  subject: Subject,
  fact: DisputeClosedFact,
): Promise<DisputeResult> =>
  steps.closeDispute(ctx.storage.orders, {
    ...subject,
    dispute_id: fact.reference,
    result: fact.result,
    known_only: fact.known_only === true,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
