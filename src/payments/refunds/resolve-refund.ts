import { fail } from "../../contract/errors.ts";
import { madeAt } from "../../rules/clock/mode-clock.ts";
import type { RefundRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { RefundSettled, RefundSettlement } from "../../rules/refunds/refund-commands.ts";
import {
  actionForUnknownRefund,
  nextRefundAction,
  refundKey,
} from "../../rules/refunds/refund-schedule.ts";
import { settleRefund } from "../../steps/order-steps.ts";
import { eventIds, type PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import type { PaymentGateway } from "../gateway/gateway.ts";
import { askGateway, type GatewayAnswer } from "../gateway/gateway-calls.ts";
import { readRefund, reportOfCreation } from "../gateway/read-refund.ts";

/** A refund after a call of the gateway, with its order. */
interface RefundOfOrder {
  readonly order: OrderRecord;
  readonly refund: RefundRecord;
}

/**
 * Gets the missing result of a refund, for maintenance: it asks the gateway about
 * the refund, or sends its creation when that may have been lost.
 */
export async function resolveRefund(
  ctx: PaymentContext,
  refund: RefundRecord,
): Promise<RefundOfOrder | null> {
  const order = await ctx.storage.orders.find("order", refund, refund.order_id);
  if (!order) return null;

  const gateway = requireGateway(ctx, refund);
  const canAsk = gateway.getRefund !== undefined;
  if (refund.asks_first && !canAsk) return sendNext(ctx, refund, order, "later");
  if (refund.asks_first) return askForResult(ctx, gateway, { order, refund }, "later");

  switch (nextRefundAction(refund, (await ctx.clock.of(refund)).now, canAsk)) {
    case "send":
      return sendAnew(ctx, refund, order, "later");
    case "ask":
      return askForResult(ctx, gateway, { order, refund }, "later");
    case "wait":
      return settle(ctx, refund, "no_answer");
    case "give_up":
      return settle(ctx, refund, "given_up");
  }
}

/**
 * Tries a refund again that was refused, for the call that asks for it. The gateway
 * is asked about the key of before first: the refusal may have been about a repeat.
 */
export function retryRefund(
  ctx: PaymentContext,
  refund: RefundRecord,
  order: OrderRecord,
): Promise<RefundOfOrder> {
  const gateway = requireGateway(ctx, refund);
  return gateway.getRefund
    ? askForResult(ctx, gateway, { order, refund }, "within_call")
    : sendNext(ctx, refund, order, "within_call");
}

/** Whether the caller of the refund still waits. */
type When = "within_call" | "later";

/**
 * Writes that the creation is sent before it is sent: a crash in between must not
 * hide it.
 */
async function sendAnew(
  ctx: PaymentContext,
  refund: RefundRecord,
  order: OrderRecord,
  when: When,
): Promise<RefundOfOrder> {
  const noted = await settle(ctx, refund, "sending");
  const mayBeSent =
    noted.refund.state === "pending" && noted.refund.key_attempt === refund.key_attempt;
  if (!mayBeSent) return noted;

  return sendRefund(ctx, {
    refund: noted.refund,
    order,
    repeat: refund.requested_at !== null,
    when,
  });
}

/** Sends the creation with the next key, unless another call has done so. */
async function sendNext(
  ctx: PaymentContext,
  refund: RefundRecord,
  order: OrderRecord,
  when: When,
): Promise<RefundOfOrder> {
  const noted = await settle(ctx, refund, "next_key");
  if (noted.outcome === "unchanged") return noted;

  return sendRefund(ctx, { refund: noted.refund, order, repeat: false, when });
}

/** The creation of a refund that is sent now. */
interface RefundSending extends RefundOfOrder {
  /** True means that the creation was sent before, and its answer is not known. */
  readonly repeat: boolean;
  readonly when: When;
}

/**
 * Lets the gateway create the refund, outside any transaction. Every field of the
 * request stands in the record or never changes, so that a repeated creation is the
 * same to the byte.
 */
export async function sendRefund(
  ctx: PaymentContext,
  { refund, order, repeat, when }: RefundSending,
): Promise<RefundOfOrder> {
  const gateway = requireGateway(ctx, refund);
  const { store_id, livemode, order_id, account, amount, attempt_id } = refund;
  const { attempt_reference, payment_reference } = refund;

  const ask = async (signal: AbortSignal) => {
    const created = await gateway.refund?.({
      id: refundKey(refund),
      repeat,
      store_id,
      account,
      reference: attempt_reference ?? payment_reference ?? "",
      payment_reference,
      amount,
      currency: order.currency,
      metadata: {
        store_id,
        livemode,
        order_id,
        payment_id: attempt_id ?? "",
        refund_id: refund.id,
      },
      signal,
    });
    return readRefund(gateway, created);
  };
  const takeLate = async (answer: GatewayAnswer<Awaited<ReturnType<typeof ask>>>) => {
    if (answer) await settle(ctx, refund, reportOfCreation(answer.value, repeat));
  };

  const answer = await askGateway(ctx, gateway, { subject: refund.id, ask, takeLate });
  const report = answer ? reportOfCreation(answer.value, repeat) : "no_answer";
  return settle(ctx, refund, report, when);
}

async function askForResult(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  { order, refund }: RefundOfOrder,
  when: When,
): Promise<RefundOfOrder> {
  const { store_id, account, amount, created_at, provider_reference, payment_reference } = refund;

  const time = await ctx.clock.of(refund);
  const ask = async (signal: AbortSignal) => {
    const found = await gateway.getRefund?.({
      id: refundKey(refund),
      store_id,
      account,
      refund_reference: provider_reference,
      payment_reference,
      amount,
      created_at: madeAt(time, ["rf", refund.id], created_at),
      signal,
    });
    return found === null ? null : readRefund(gateway, found);
  };
  const takeLate = async (late: GatewayAnswer<Awaited<ReturnType<typeof ask>>>) => {
    // A late answer that the provider knows no such refund does not count.
    if (late?.value) await settle(ctx, refund, late.value);
  };

  const answer = await askGateway(ctx, gateway, { subject: refund.id, ask, takeLate });
  if (answer === null) return settle(ctx, refund, "no_answer");
  if (answer.value !== null) return settle(ctx, refund, answer.value, when);

  if (refund.asks_first) return sendNext(ctx, refund, order, when);
  switch (actionForUnknownRefund(refund, time.now)) {
    case "send":
      return sendAnew(ctx, refund, order, when);
    case "wait":
      return settle(ctx, refund, "no_answer");
    case "failed":
      return settle(ctx, refund, {
        status: "failed",
        reference: null,
        amount: null,
        failure_reason: "The provider knows no such refund.",
      });
  }
}

type SettledRefund = Extract<RefundSettled, { readonly refund: RefundRecord }>;

async function settle(
  ctx: PaymentContext,
  { store_id, livemode, order_id, id, key_attempt }: RefundRecord,
  report: RefundSettlement["report"],
  when: When = "later",
): Promise<RefundOfOrder & Pick<SettledRefund, "outcome">> {
  const settled = await settleRefund(ctx.storage.orders, {
    store_id,
    livemode,
    order_id,
    refund_id: id,
    key_attempt,
    report,
    within_call: when === "within_call",
    ids: { ...eventIds(ctx), refund: ctx.newId("rf") },
    now: ctx.now(),
  });
  if (!("refund" in settled)) return fail("resource_not_found");

  ctx.committed({ store_id, livemode });
  return settled;
}

/**
 * Finds the gateway of a refund. Maintenance reports the error, and the refund is
 * due again when its lease ends.
 */
function requireGateway(ctx: PaymentContext, refund: RefundRecord): PaymentGateway {
  const { id, gateway, livemode } = refund;
  const found = gateway === null ? null : findGateway(ctx, gateway, livemode);
  return (
    found ??
    fail("gateway_error", {
      message: `Refund ${id} needs the gateway ${gateway}, which is not configured.`,
    })
  );
}
