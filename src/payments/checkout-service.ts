import { z } from "zod";
import { readToken } from "../checkout-urls.ts";
import type { Context } from "../context.ts";
import { fail } from "../contract/errors.ts";
import { renderOrder, renderPaymentMethod, renderSession, renderStore } from "../contract/render.ts";
import { type CheckoutSession, type Order, type PaymentMethod, paymentMethodTypes, type Store } from "../contract/schemas.ts";
import { maskTaxId } from "../domain/mask.ts";
import { fillSessionId } from "../domain/url-rules.ts";
import { foreignId, text } from "../owner/fields.ts";
import { check } from "../owner/input.ts";
import type { BuyerFacts, OrderIds } from "../storage/order-store.ts";
import type { AttemptRecord, OrderRecord, Partition, PaymentMethodRecord, SessionRecord } from "../storage/records.ts";
import type { PaymentGateway, PaymentResult } from "./gateway.ts";

const CustomerInput = z.strictObject({
  id: z.string().min(1).max(255).nullish(),
  email: text(254).nullish(),
  name: text(200).nullish(),
  discord_id: text(64).nullish(),
  /** CPF or CNPJ as typed: masked before it is stored, null when it is neither. */
  tax_id: z.unknown().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code of two letters")
    .nullish(),
});

const SubmitInput = z.strictObject({
  payment_method_id: foreignId.nullish(),
  customer: CustomerInput.nullish(),
  /** For the gateway alone: a card token, an installment choice. Never stored. */
  input: z.record(z.string(), z.unknown()).nullish(),
  /** Of this submission: the same key starts nothing twice. */
  idempotency_key: z.string().min(1).max(255).nullish(),
});
export type SubmitInput = z.input<typeof SubmitInput>;

const CompleteInput = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  /** Your own id of the payment: repeats with it are no-ops. */
  reference: z.string().min(1).max(255),
  status: z.enum(["paid", "failed"]),
  amount: z.int().min(0),
  currency: z.string(),
  payment_method: z.strictObject({ type: z.enum(paymentMethodTypes) }).nullish(),
  customer: CustomerInput.nullish(),
});
export type CompleteInput = z.input<typeof CompleteInput>;

export interface CheckoutView {
  readonly store: Store;
  readonly session: CheckoutSession;
  readonly livemode: boolean;
  readonly payment_methods: readonly PaymentMethod[];
  readonly order: Order | null;
  /** With `{CHECKOUT_SESSION_ID}` filled in: where the buyer goes when it is done, or given up. */
  readonly success_url: string;
  readonly cancel_url: string;
}

export interface SubmitResult {
  /** `requires_action`: send the buyer to `redirect_url`. `pending`: the result comes later, by notification or reconciliation. */
  readonly status: "paid" | "failed" | "pending" | "requires_action";
  readonly order: Order;
  /** Where the buyer goes now: the success page once paid, the gateway's page for an action; null = stay. */
  readonly redirect_url: string | null;
}

/** The hosted page's side of a session, and the way in for a host with payment code of its own. */
export interface CheckoutService {
  /** Throws `resource_not_found` for a token that no key of the ring made. */
  view(token: string): Promise<CheckoutView>;
  /**
   * Starts a payment: order pending with its holds, then the gateway outside any transaction, then its result. Throws `session_expired`,
   * `session_not_open`, `insufficient_stock`, `coupon_invalid`, `gateway_error`, `parameter_invalid`.
   */
  submit(token: string, input: SubmitInput): Promise<SubmitResult>;
  /** The buyer gives up. A pending order without a payment in flight becomes `failed` (`canceled`); otherwise nothing changes. */
  cancel(token: string): Promise<CheckoutView>;
  /**
   * A payment that your own code took. Idempotent by `reference`; paid is never refused for stock, coupon or expiry. Throws `payment_mismatch`
   * when amount or currency differ from the session's.
   */
  complete(session_id: string, input: CompleteInput): Promise<Order>;
}

const gatewayTimeoutMs = 30_000;
const attemptLifetimeMs = { instant: 3_600_000, delayed: 3 * 86_400_000 } as const;

export function createCheckoutService(
  ctx: Context,
  gateways: readonly PaymentGateway[],
  committed: (partition: Partition) => void,
): CheckoutService {
  const find = async (token: string) => {
    const named = await readToken(ctx.keyRing, token);
    const found = named && (await ctx.storage.orders.findCheckout(named.partition, named.session_id));
    if (!named || !found) return fail("resource_not_found", { param: "token", message: "There is no such checkout." });
    return { ...found, partition: named.partition };
  };
  const view = async (token: string): Promise<CheckoutView> => {
    const { session, order, partition } = await find(token);
    const store = (await ctx.storage.access.findStore(partition.store_id)) ?? fail("resource_not_found");
    const methods = await usableMethods(ctx, session);
    return {
      store: renderStore(store),
      session: renderSession(session, await ctx.checkoutUrls.address(session), ctx.now()),
      livemode: session.livemode,
      payment_methods: methods.map(renderPaymentMethod),
      order: order && renderOrder(order),
      success_url: fillSessionId(session.success_url, session.id),
      cancel_url: fillSessionId(session.cancel_url, session.id),
    };
  };

  return {
    view,
    async submit(token, input) {
      const wanted = check(SubmitInput, input);
      const { session, partition } = await find(token);
      const method = await chooseMethod(ctx, session, wanted.payment_method_id ?? null);
      const gateway = session.amount_total === 0 ? null : gatewayOf(gateways, session, method);
      const now = ctx.now();
      const checkout_url = await ctx.checkoutUrls.address(session);
      const submitted = await ctx.storage.orders.submitSession({
        ...partition,
        session_id: session.id,
        ids: orderIds(ctx, session),
        now,
        checkout_url,
        buyer: readBuyer(wanted.customer),
        payment_method_type: method?.type ?? null,
        attempt: {
          id: ctx.newId("pay"),
          gateway: gateway?.id ?? "none",
          method_id: method?.id ?? null,
          idempotency_key: wanted.idempotency_key ?? null,
          expires_at: now + attemptLifetimeMs[method?.settlement ?? "instant"],
        },
      });
      if (submitted.outcome !== "submitted" && submitted.outcome !== "attempted" && submitted.outcome !== "already_paid") {
        return fail(submitted.outcome === "unknown_session" ? "resource_not_found" : submitted.outcome);
      }
      committed(partition);
      if (submitted.outcome === "already_paid") return present(session, submitted.order, null);
      if (submitted.outcome === "attempted") return present(session, submitted.order, submitted.attempt);
      if (!submitted.attempt || !gateway || !method) return present(session, submitted.order, null);
      const result = await charge(ctx, gateway, submitted.order, submitted.attempt, method, wanted.input ?? {}, checkout_url);
      if (!result) return present(session, submitted.order, submitted.attempt);
      const applied = await applyPaymentResult(ctx, submitted.attempt, result, checkout_url);
      committed(partition);
      return present(session, applied.order, applied.attempt);
    },
    async cancel(token) {
      const { session, partition } = await find(token);
      const result = await ctx.storage.orders.cancelOrder({ ...partition, session_id: session.id, ids: eventIds(ctx), now: ctx.now() });
      if (result.outcome === "canceled") committed(partition);
      return view(token);
    },
    async complete(session_id, input) {
      const { store_id, livemode, payment_method, customer, ...payment } = check(CompleteInput, input);
      const partition = { store_id, livemode };
      const found = (await ctx.storage.checkout.findSession(partition, session_id)) ?? fail("resource_not_found");
      const result = await ctx.storage.orders.completeSession({
        ...partition,
        ...payment,
        session_id,
        ids: orderIds(ctx, found.session),
        now: ctx.now(),
        checkout_url: await ctx.checkoutUrls.address(found.session),
        buyer: readBuyer(customer),
        attempt_id: ctx.newId("pay"),
        payment_method_type: payment_method?.type ?? null,
      });
      if (result.outcome === "mismatch")
        return fail("payment_mismatch", { param: payment.amount === found.session.amount_total ? "currency" : "amount" });
      if (result.outcome === "unknown_session") return fail("resource_not_found");
      if (result.outcome === "session_expired" || result.outcome === "insufficient_stock" || result.outcome === "coupon_invalid")
        return fail(result.outcome);
      committed(partition);
      return renderOrder(result.order);
    },
  };
}

/** The one path of a payment's result, whoever tells it: the page, a notification, reconciliation. */
export async function applyPaymentResult(ctx: Context, attempt: AttemptRecord, result: PaymentResult, checkout_url: string) {
  const applied = await ctx.storage.orders.applyPayment({
    store_id: attempt.store_id,
    livemode: attempt.livemode,
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
    ids: eventIds(ctx),
    now: ctx.now(),
    checkout_url,
  });
  return applied.outcome === "unknown_attempt" ? fail("resource_not_found") : applied;
}

/** Null: unknown. A throw or a timeout never fails an attempt: the money may have moved. */
async function charge(
  ctx: Context,
  gateway: PaymentGateway,
  order: OrderRecord,
  attempt: AttemptRecord,
  method: PaymentMethodRecord,
  input: Record<string, unknown>,
  return_url: string,
): Promise<PaymentResult | null> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`Gateway ${gateway.id} took longer than 30 s.`));
    }, gatewayTimeoutMs);
  });
  try {
    const { id, order_id, store_id, amount, currency, expires_at } = attempt;
    const request = {
      id,
      order_id,
      store_id,
      amount,
      currency,
      method: { id: method.id, type: method.type },
      input,
      return_url,
      expires_at,
      signal: controller.signal,
    };
    return await Promise.race([gateway.createPayment(request), late]);
  } catch (error) {
    ctx.onError(error, `gateway:${gateway.id}:${order.id}`);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function present(session: SessionRecord, order: OrderRecord, attempt: AttemptRecord | null): SubmitResult {
  const shown = renderOrder(order);
  if (order.status === "failed") return { status: "failed", order: shown, redirect_url: null };
  if (order.status !== "pending") return { status: "paid", order: shown, redirect_url: fillSessionId(session.success_url, session.id) };
  const redirect_url = attempt?.redirect_url ?? null;
  return { status: redirect_url === null ? "pending" : "requires_action", order: shown, redirect_url };
}

/** Enabled methods whose gateway is none or configured in the mode, and that take this currency and amount. */
async function usableMethods(ctx: Context, session: SessionRecord): Promise<readonly PaymentMethodRecord[]> {
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

async function chooseMethod(ctx: Context, session: SessionRecord, id: string | null): Promise<PaymentMethodRecord | null> {
  if (id === null)
    return session.amount_total === 0
      ? null
      : fail("parameter_missing", { param: "payment_method_id", message: "payment_method_id is required." });
  const method = (await usableMethods(ctx, session)).find((candidate) => candidate.id === id);
  return (
    method ??
    fail("parameter_invalid", {
      param: "payment_method_id",
      message: "payment_method_id is not a method that this checkout can be paid with.",
    })
  );
}

function gatewayOf(gateways: readonly PaymentGateway[], session: SessionRecord, method: PaymentMethodRecord | null): PaymentGateway {
  const gateway = gateways.find((candidate) => candidate.id === method?.gateway && candidate.livemode === session.livemode);
  return (
    gateway ??
    fail("gateway_error", {
      message: "No payment gateway is configured for this method: add one to `gateways`, or settle with checkout.complete.",
    })
  );
}

function readBuyer(customer: z.output<typeof CustomerInput> | null | undefined): BuyerFacts {
  const masked = maskTaxId(customer?.tax_id);
  return {
    id: customer?.id ?? null,
    email: customer?.email ?? null,
    name: customer?.name ?? null,
    discord_id: customer?.discord_id ?? null,
    tax_id: masked?.tax_id ?? null,
    tax_id_type: masked?.tax_id_type ?? null,
    country: customer?.country ?? null,
  };
}

/** As many as the longest step writes: created, paid, completed. */
const eventIds = (ctx: Context): Pick<OrderIds, "events" | "alerts"> => ({
  events: [ctx.newId("evt"), ctx.newId("evt"), ctx.newId("evt")],
  alerts: [ctx.newId("alr"), ctx.newId("alr")],
});

const orderIds = (ctx: Context, session: SessionRecord): OrderIds => ({
  ...eventIds(ctx),
  order: ctx.newId("ord"),
  customer: ctx.newId("cus"),
  items: session.lines.map(() => ctx.newId("oi")),
});
