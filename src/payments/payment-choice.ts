import { fail } from "../contract/errors.ts";
import type { PaymentMethodRecord, SessionRecord } from "../rules/records.ts";
import { findGateway } from "./charge.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway } from "./gateway.ts";

/** Enabled methods whose gateway is none or configured in the mode, and that take this currency and amount. */
export async function usableMethods(
  ctx: PaymentContext,
  session: SessionRecord,
): Promise<readonly PaymentMethodRecord[]> {
  const configured = session.livemode ? ctx.gatewayIds.live : ctx.gatewayIds.test;
  const recurring = session.lines.some((line) => line.recurring !== null);
  return (await ctx.storage.catalog.listPaymentMethods(session.store_id)).filter(
    (method) =>
      method.enabled &&
      (method.gateway === null || configured.has(method.gateway)) &&
      (method.currencies.length === 0 || method.currencies.includes(session.currency)) &&
      (method.min_amount === null || session.amount_total >= method.min_amount) &&
      (method.max_amount === null || session.amount_total <= method.max_amount) &&
      (!recurring || method.supports_recurring),
  );
}

/** Null: nothing is due. */
export async function choosePayment(
  ctx: PaymentContext,
  session: SessionRecord,
  id: string | null,
): Promise<{ readonly method: PaymentMethodRecord; readonly gateway: PaymentGateway } | null> {
  if (id === null)
    return session.amount_total === 0
      ? null
      : fail("parameter_missing", {
          param: "payment_method_id",
          message: "payment_method_id is required.",
        });
  const method =
    (await usableMethods(ctx, session)).find((candidate) => candidate.id === id) ??
    fail("parameter_invalid", {
      param: "payment_method_id",
      message: "payment_method_id is not a method that this checkout can be paid with.",
    });
  if (session.amount_total === 0) return null;
  const gateway =
    (method.gateway === null ? null : findGateway(ctx, method.gateway, session.livemode)) ??
    fail("gateway_error", {
      message:
        "No payment gateway is configured for this method: add one to `gateways`, or settle with checkout.complete.",
    });
  return { method, gateway };
}
