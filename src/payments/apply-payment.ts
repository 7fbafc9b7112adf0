import { fail } from "../contract/errors.ts";
import type { PaymentApplication, PaymentApplied } from "../rules/orders/order-commands.ts";
import type { AttemptRecord, SavedMethodRecord } from "../rules/payments/payment-records.ts";
import { applyPayment } from "../steps/checkout-steps.ts";
import {
  hasExternalStock,
  type PaymentContext,
  paymentIds,
  settleExternalStock,
  settleStockInTime,
  tellStep,
} from "./context.ts";
import { findGateway } from "./gateway/find-gateway.ts";
import type { PaymentResult } from "./gateway/gateway-results.ts";

/**
 * A result for an attempt. `reference` is null when the provider never named the
 * payment.
 */
export type AttemptResult = Omit<PaymentResult, "reference" | "status"> & {
  readonly reference: string | null;
  readonly status: PaymentResult["status"] | "unknown";
};

/** Stands for an answer of the gateway that does not tell how the payment stands. */
export const unknownResult = ({ amount, currency }: AttemptRecord): AttemptResult => ({
  status: "unknown",
  reference: null,
  amount,
  currency,
});

/** Seals what the provider keeps for later periods. Without the buyer's consent nothing is kept. */
async function sealSaved(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  { status, saved_method }: AttemptResult,
): Promise<SavedMethodRecord | undefined> {
  const { id, consent, gateway, account, method_id, method_type, created_at } = attempt;
  if (status !== "succeeded" || !saved_method || consent === undefined) return undefined;
  if (method_id === null || method_type === null) return undefined;

  const { reference, kind, label, expires_at = null } = saved_method;
  const charge_ahead_days = findGateway(ctx, gateway, attempt.livemode)?.chargeAheadDays;
  return {
    attempt_id: id,
    gateway,
    account,
    method: { id: method_id, type: method_type },
    sealed_reference: await ctx.keyRing.seal(reference, id),
    kind,
    label,
    expires_at,
    ...(charge_ahead_days !== undefined && { charge_ahead_days }),
    consent: { text: consent, at: created_at },
  };
}

export type AppliedResult = Exclude<PaymentApplied, { readonly outcome: "unknown_attempt" }>;

/** How a result came: by the gateway's message of this id, or by the call that ends. */
interface PaymentReport extends Pick<PaymentApplication, "ends_call"> {
  readonly notification_id?: string;
  /** True when other payments wait for the caller: a host's catalog then has two seconds. */
  readonly keeps_place?: boolean;
}

/**
 * Writes a gateway's result to the order. The hosted page, notifications and
 * maintenance all come through here. Further money of the same reference follows
 * the payment, and each of them counts by its own id.
 */
export async function applyPaymentResult(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  { also_received = [], ...result }: AttemptResult,
  report: PaymentReport = {},
): Promise<AppliedResult> {
  const { keeps_place = false } = report;
  const applied = await applyOne(ctx, attempt, result, report);

  const { fee: _ofTheFirst, ...further } = result;
  if (result.status === "succeeded")
    for (const { payment_reference, amount } of also_received)
      await applyOne(ctx, attempt, { ...further, payment_reference, amount }, { keeps_place });
  return applied;
}

const hasEnded = ({ state }: AttemptRecord): boolean => state === "succeeded" || state === "failed";

async function applyOne(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  result: AttemptResult,
  { notification_id, ends_call = false, keeps_place = false }: PaymentReport,
): Promise<AppliedResult> {
  const { store_id, livemode } = attempt;
  const gateway = findGateway(ctx, attempt.gateway, livemode);

  const { renews } = attempt;
  const saved = await sealSaved(ctx, attempt, result);
  const applied = await applyPayment(ctx.storage.orders, {
    store_id,
    livemode,
    attempt_id: attempt.id,
    session_id: attempt.session_id,
    ...(renews && { renews }),
    saved,
    result: {
      status: result.status === "requires_action" ? "pending" : result.status,
      reference: result.reference,
      payment_reference: result.payment_reference ?? null,
      next_action: result.next_action ?? null,
      amount: result.amount,
      currency: result.currency,
      failure_code: result.failure_code ?? null,
      ...(result.decline_code !== undefined && { decline_code: result.decline_code }),
      ...(result.fee !== undefined && { fee: result.fee }),
      needs_buyer: result.needs_buyer,
      expires_at: result.expires_at ?? null,
    },
    ids: paymentIds(ctx),
    now: ctx.now(),
    external_stock: hasExternalStock(ctx),
    returns_duplicates: gateway?.returnDuplicates === true,
    ends_call,
    ...(notification_id !== undefined && {
      message: { gateway: attempt.gateway, notification_id },
    }),
  });
  if (applied.outcome === "unknown_attempt") return fail("resource_not_found");

  tellStep(ctx, attempt, { ...applied, gateway: applied.attempt.gateway });
  if (applied.outcome !== "unchanged") ctx.committed({ store_id, livemode });
  await (keeps_place ? settleStockInTime : settleExternalStock)(ctx, applied.order);
  const { subscription_id } = applied.order;
  if (saved && subscription_id !== null) {
    const { sortKept } = await import("../steps/subscription-steps.ts");
    await sortKept(ctx.storage.orders, {
      ...{ store_id, livemode, subscription_id, saved },
      now: ctx.now(),
    });
  }
  if (applied.outcome !== "unchanged" && hasEnded(applied.attempt)) {
    // This module is loaded when a payment ends, because no page needs it.
    const { judgeGateway } = await import("./gateway/judge-gateway.ts");
    await judgeGateway(ctx, applied.attempt);
  }
  return applied;
}
