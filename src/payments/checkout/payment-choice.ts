import { fail } from "../../contract/errors.ts";
import type { PaymentMethodRecord, SessionRecord } from "../../rules/records.ts";
import { chargedAmount, trialDays } from "../../rules/subscriptions/trial.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway, savesAlone } from "../gateway/find-gateway.ts";
import type { PaymentGateway } from "../gateway/gateway.ts";

export interface PaymentChoice {
  readonly method: PaymentMethodRecord;
  readonly gateway: PaymentGateway;
}

/** Tells whether the session's payment begins a subscription, or pays a later period of one. */
export const isRecurring = ({ lines }: SessionRecord): boolean =>
  lines.some(({ recurring }) => recurring !== null);

/** Reads the methods that can pay this session. */
const usableMethods = async (
  ctx: PaymentContext,
  session: SessionRecord,
): Promise<readonly PaymentMethodRecord[]> =>
  usableOf(ctx, session, await ctx.storage.catalog.listPaymentMethods(session.store_id));

/**
 * Keeps the methods that can pay this session: they are enabled, take its currency
 * and amount, and need no gateway or one that is configured in the session's mode.
 */
export function usableOf(
  ctx: PaymentContext,
  session: SessionRecord,
  methods: readonly PaymentMethodRecord[],
): readonly PaymentMethodRecord[] {
  const configured = session.livemode ? ctx.gatewayIds.live : ctx.gatewayIds.test;
  const recurring = isRecurring(session);
  const amount = chargedAmount(session);
  const isTrial = trialDays(session) !== null;

  return methods.filter(
    (method) =>
      method.enabled &&
      (method.gateway === null || configured.has(method.gateway)) &&
      (method.currencies.length === 0 || method.currencies.includes(session.currency)) &&
      (method.min_amount === null || amount >= method.min_amount) &&
      (method.max_amount === null || amount <= method.max_amount) &&
      (!recurring || method.supports_recurring) &&
      (!isTrial || savesAlone(ctx, method, session.livemode)),
  );
}

/** Checks the buyer's choice of a method. Returns null when nothing is to be paid. */
export async function choosePayment(
  ctx: PaymentContext,
  session: SessionRecord,
  id: string | null,
): Promise<PaymentChoice | null> {
  const param = "payment_method_id";
  const amount = chargedAmount(session);
  if (id === null) {
    if (amount === 0) return null;
    return fail("parameter_missing", { param, message: `${param} is required.` });
  }

  const methods = await usableMethods(ctx, session);
  const method = methods.find((candidate) => candidate.id === id);
  if (!method) {
    const message = `${param} is not a method that this checkout can be paid with.`;
    return fail("parameter_invalid", { param, message });
  }
  if (amount === 0) return null;

  const gateway =
    method.gateway === null ? null : findGateway(ctx, method.gateway, session.livemode);
  if (!gateway)
    return fail("gateway_error", {
      message:
        "No payment gateway is configured for this method: " +
        "add one to `gateways`, or settle with checkout.complete.",
    });

  const { currency } = session;
  const refusal = gateway.refusal?.({ amount, currency, method }) ?? null;
  if (refusal !== null) {
    const message = `${method.name} cannot take this amount in this currency.`;
    return fail(refusal, { param, message });
  }
  return { method, gateway };
}
