import { fail } from "../contract/errors.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import { eventIds, keepsStock, type PaymentContext, paymentIds, settleGoods } from "./context.ts";
import type { PaymentGateway, PaymentResult } from "./gateway.ts";

const gatewayTimeoutMs = 30_000;

/** Null: unknown. A throw or a timeout (30 s) never fails anything: the money may have moved. */
export async function askGateway<T>(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  subject: string,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly answer: T } | null> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`Gateway ${gateway.id} took longer than 30 s.`));
    }, gatewayTimeoutMs);
  });
  try {
    return { answer: await Promise.race([ask(controller.signal), late]) };
  } catch (error) {
    ctx.onError(error, `gateway:${gateway.id}:${subject}`);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const statuses: ReadonlySet<unknown> = new Set<PaymentResult["status"]>([
  "succeeded",
  "pending",
  "requires_action",
  "failed",
]);

/** A gateway written without types may say a word that is none of ours: that is no answer, and never a payment. */
export function checkResult<R extends PaymentResult | null>(gateway: PaymentGateway, result: R): R {
  if (result === null || statuses.has(result?.status)) return result;
  return fail("gateway_error", {
    message: `Gateway ${gateway.id} gave a payment whose status is none of ${[...statuses].join(", ")}.`,
  });
}

export const findGateway = (
  ctx: PaymentContext,
  id: string,
  livemode: boolean,
): PaymentGateway | null =>
  ctx.gateways.find((gateway) => gateway.id === id && gateway.livemode === livemode) ?? null;

/** The one path of a payment's result, whoever tells it: the page, a notification, reconciliation. */
export async function applyPaymentResult(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  result: Omit<PaymentResult, "reference"> & { readonly reference: string | null },
  notification_id?: string,
) {
  const { store_id, livemode } = attempt;
  const applied = await ctx.storage.orders.applyPayment({
    store_id,
    livemode,
    attempt_id: attempt.id,
    result: {
      status: result.status === "requires_action" ? "pending" : result.status,
      reference: result.reference,
      redirect_url: result.redirect_url ?? null,
      amount: result.amount,
      currency: result.currency,
      failure_code: result.failure_code ?? null,
      expires_at: result.expires_at ?? null,
    },
    ids: paymentIds(ctx),
    now: ctx.now(),
    external_stock: keepsStock(ctx),
    ...(notification_id === undefined ? {} : { notification_id }),
  });
  if (applied.outcome === "unknown_attempt") return fail("resource_not_found");
  if (applied.outcome !== "unchanged") ctx.committed({ store_id, livemode });
  await settleGoods(ctx, applied.order);
  const { dispute } = result;
  if (!dispute) return applied;
  const { reference: id, amount = attempt.amount, reason = null, due_by = null } = dispute;
  const opened = await ctx.storage.orders.openDispute({
    store_id,
    livemode,
    order_id: attempt.order_id,
    dispute: { id, amount, reason, due_by },
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (opened.outcome !== "opened") return applied;
  ctx.committed({ store_id, livemode });
  return { ...applied, outcome: "disputed" as const, order: opened.order };
}
