import { fail } from "../contract/errors.ts";
import { parseRedirectUrl } from "../domain/url-rules.ts";
import type { PaymentApplied } from "../rules/order-commands.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import {
  eventIds,
  hasExternalStock,
  type PaymentContext,
  paymentIds,
  settleExternalStock,
} from "./context.ts";
import type { PaymentResult } from "./gateway.ts";

/** A result for an attempt. `reference` is null when the provider never received the payment. */
export type AttemptResult = Omit<PaymentResult, "reference"> & {
  readonly reference: string | null;
};

type AppliedPayment = Exclude<PaymentApplied, { readonly outcome: "unknown_attempt" }>;

export interface AppliedResult extends Omit<AppliedPayment, "outcome"> {
  readonly outcome: AppliedPayment["outcome"] | "disputed";
}

/**
 * Writes a gateway's result to the order. The hosted page, notifications and maintenance all come
 * through here. `notification_id` makes a repeated notification change nothing.
 */
export async function applyPaymentResult(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  result: AttemptResult,
  notification_id?: string,
): Promise<AppliedResult> {
  const { store_id, livemode } = attempt;

  const applied = await ctx.storage.orders.applyPayment({
    store_id,
    livemode,
    attempt_id: attempt.id,
    result: {
      status: result.status === "requires_action" ? "pending" : result.status,
      reference: result.reference,
      redirect_url: readRedirect(ctx, attempt, result.redirect_url),
      amount: result.amount,
      currency: result.currency,
      failure_code: result.failure_code ?? null,
      expires_at: result.expires_at ?? null,
    },
    ids: paymentIds(ctx),
    now: ctx.now(),
    external_stock: hasExternalStock(ctx),
    ...(notification_id === undefined ? {} : { notification_id }),
  });
  if (applied.outcome === "unknown_attempt") return fail("resource_not_found");

  if (applied.outcome !== "unchanged") ctx.committed({ store_id, livemode });
  await settleExternalStock(ctx, applied.order);

  return result.dispute ? openDispute(ctx, attempt, applied, result.dispute) : applied;
}

/** An address that no buyer can be sent to is dropped, and the host is told of it. */
function readRedirect(
  ctx: PaymentContext,
  { gateway, id }: AttemptRecord,
  given: unknown,
): string | null {
  if (given === undefined || given === null) return null;

  const address = parseRedirectUrl(given);
  if (address === null) {
    const rule = "neither https nor http on this machine";
    const error = new Error(`Gateway ${gateway} gave a redirect_url that is ${rule}.`);
    ctx.onError(error, `gateway:${gateway}:${id}`);
  }
  return address;
}

async function openDispute(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  applied: AppliedResult,
  dispute: NonNullable<PaymentResult["dispute"]>,
): Promise<AppliedResult> {
  const { store_id, livemode, order_id } = attempt;
  const { reference: id, amount = attempt.amount, reason = null, due_by = null } = dispute;

  const opened = await ctx.storage.orders.openDispute({
    store_id,
    livemode,
    order_id,
    dispute: { id, amount, reason, due_by },
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (opened.outcome !== "opened") return applied;

  ctx.committed({ store_id, livemode });
  return { ...applied, outcome: "disputed", order: opened.order };
}
