import { fail } from "../contract/errors.ts";
import type { CheckoutSession, Order, PaymentMethod, Store } from "../contract/schemas.ts";
import { fillSessionId } from "../domain/url-rules.ts";
import { check, checkId } from "../input/check.ts";
import { readToken } from "../rules/checkout-urls.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import {
  iso,
  renderOrder,
  renderPaymentMethod,
  renderSession,
  renderStore,
} from "../rules/render.ts";
import type { CheckoutDetails } from "../storage/order-store.ts";
import { applyPaymentResult, askGateway, checkResult, findGateway } from "./charge.ts";
import {
  afterStep,
  eventIds,
  keepsStock,
  orderIds,
  orderStore,
  type PaymentContext,
  type StepOptions,
  settleGoods,
} from "./context.ts";
import type { PaymentGateway } from "./gateway.ts";
import { CompleteInput, PartitionInput, readBuyer, SubmitInput } from "./inputs.ts";
import { handleNotification, type NotificationResult } from "./notifications.ts";
import { choosePayment, usableMethods } from "./payment-choice.ts";

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
  /** The buyer came back from the gateway's page: asks it once for the result that is still open. Throws `resource_not_found` before a submission. */
  resume(token: string): Promise<SubmitResult>;
  /** The buyer gives up. A pending order without a payment in flight becomes `failed` (`canceled`); otherwise nothing changes. */
  cancel(token: string): Promise<CheckoutView>;
  /**
   * A payment that your own code took. Idempotent by `reference`; paid is never refused for stock, coupon or expiry. Throws `payment_mismatch`
   * when amount or currency differ from the session's.
   */
  complete(session_id: string, input: CompleteInput, options?: StepOptions): Promise<Order>;
  /** Closes an open session now; its order fails (`expired`) unless a payment is in flight, whose result still counts. */
  expire(session_id: string, partition: PartitionInput): Promise<CheckoutSession>;
  /**
   * A provider's message, as received: the gateway checks and reads it. Answer the provider 2xx unless the outcome is `unknown_payment`, which it
   * should send again. Throws `gateway_error` when no such gateway is configured.
   */
  handleNotification(
    gateway_id: string,
    message: {
      readonly livemode: boolean;
      readonly body: Uint8Array;
      header(name: string): string | undefined;
    },
  ): Promise<NotificationResult>;
}

const attemptLifetimeMs = { instant: 3_600_000, delayed: 3 * 86_400_000 } as const;

export function createCheckoutService(ctx: PaymentContext): CheckoutService {
  const find = async (
    token: string,
  ): Promise<CheckoutDetails & { readonly partition: Partition }> => {
    const named = await readToken(ctx.keyRing, token);
    const found =
      named && (await ctx.storage.orders.findCheckout(named.partition, named.session_id));
    if (!named || !found)
      return fail("resource_not_found", { param: "token", message: "There is no such checkout." });
    return { ...found, partition: named.partition };
  };
  const shown = async (session: SessionRecord): Promise<CheckoutSession> =>
    renderSession(session, await ctx.checkoutUrls.address(session), ctx.now());
  const view = async (token: string): Promise<CheckoutView> => {
    const { session, order, partition } = await find(token);
    const store =
      (await ctx.storage.access.findStore(partition.store_id)) ?? fail("resource_not_found");
    const methods = await usableMethods(ctx, session);
    return {
      store: renderStore(store),
      session: await shown(session),
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
      const { session, order, partition } = await find(token);
      const choice = await choosePayment(ctx, session, wanted.payment_method_id ?? null);
      const now = ctx.now();
      const ids = orderIds(ctx, session);
      const release = await reserveGoods(ctx, session, order?.id ?? ids.order);
      const submitted = await ctx.storage.orders.submitSession({
        ...partition,
        session_id: session.id,
        ids,
        now,
        external_stock: keepsStock(ctx),
        buyer: readBuyer(wanted.customer),
        payment_method_type: choice?.method.type ?? null,
        attempt: {
          id: ctx.newId("pay"),
          gateway: choice?.gateway.id ?? "none",
          method_id: choice?.method.id ?? null,
          idempotency_key: wanted.idempotency_key ?? null,
          expires_at: now + attemptLifetimeMs[choice?.method.settlement ?? "instant"],
        },
      });
      if (
        submitted.outcome !== "submitted" &&
        submitted.outcome !== "attempted" &&
        submitted.outcome !== "already_paid"
      ) {
        await release();
        return fail(
          submitted.outcome === "unknown_session" ? "resource_not_found" : submitted.outcome,
        );
      }
      ctx.committed(partition);
      await settleGoods(ctx, submitted.order);
      if (submitted.outcome === "already_paid") return present(session, submitted.order, null);
      if (submitted.outcome === "attempted" || !submitted.attempt || !choice)
        return present(session, submitted.order, submitted.attempt);
      const { attempt } = submitted;
      const { method, gateway } = choice;
      const told = await askGateway(ctx, gateway, attempt.id, async (signal) => {
        const request = {
          id: attempt.id,
          order_id: attempt.order_id,
          store_id: attempt.store_id,
          amount: attempt.amount,
          currency: attempt.currency,
          method: { id: method.id, type: method.type },
          input: wanted.input ?? {},
          return_url: fillSessionId(session.success_url, session.id),
          expires_at: attempt.expires_at,
          signal,
        };
        return checkResult(gateway, await gateway.createPayment(request));
      });
      if (!told?.answer) return present(session, submitted.order, attempt);
      const applied = await applyPaymentResult(ctx, attempt, told.answer);
      return present(session, applied.order, applied.attempt);
    },
    async resume(token) {
      const { session, order, attempt } = await find(token);
      if (!order)
        return fail("resource_not_found", {
          param: "token",
          message: "No payment was submitted for this checkout.",
        });
      const gateway =
        attempt?.state === "in_flight" ? findGateway(ctx, attempt.gateway, attempt.livemode) : null;
      const told = attempt && gateway ? await lookUp(ctx, gateway, attempt) : null;
      if (!attempt || !told?.answer) return present(session, order, attempt);
      const applied = await applyPaymentResult(ctx, attempt, told.answer);
      return present(session, applied.order, applied.attempt);
    },
    async cancel(token) {
      const { session, partition } = await find(token);
      await close(ctx, partition, session.id, "canceled");
      return view(token);
    },
    async complete(session_id, input, options = {}) {
      const { store_id, livemode, payment_method, customer, ...payment } = check(
        CompleteInput,
        input,
      );
      const partition = { store_id, livemode };
      const { session } =
        (await ctx.storage.checkout.findSession(partition, checkId("session_id", session_id))) ??
        fail("resource_not_found");
      const result = await orderStore(ctx, options).completeSession({
        ...partition,
        ...payment,
        session_id,
        ids: orderIds(ctx, session),
        now: ctx.now(),
        external_stock: keepsStock(ctx),
        buyer: readBuyer(customer),
        attempt_id: ctx.newId("pay"),
        payment_method_type: payment_method?.type ?? null,
      });
      if (result.outcome === "mismatch")
        return fail("payment_mismatch", {
          param: payment.amount === session.amount_total ? "currency" : "amount",
        });
      if (result.outcome === "unknown_session") return fail("resource_not_found");
      if (
        result.outcome === "session_expired" ||
        result.outcome === "insufficient_stock" ||
        result.outcome === "coupon_invalid"
      )
        return fail(result.outcome);
      await afterStep(ctx, partition, result.order, options);
      return renderOrder(result.order);
    },
    async expire(session_id, where) {
      const partition = check(PartitionInput, where);
      await close(ctx, partition, checkId("session_id", session_id), "expired");
      const found =
        (await ctx.storage.checkout.findSession(partition, session_id)) ??
        fail("resource_not_found");
      return shown(found.session);
    },
    handleNotification: (gateway_id, message) => handleNotification(ctx, gateway_id, message),
  };
}

async function close(
  ctx: PaymentContext,
  partition: Partition,
  session_id: string,
  reason: "canceled" | "expired",
): Promise<void> {
  const close_session = reason === "expired";
  const result = await ctx.storage.orders.closeSession({
    ...partition,
    session_id,
    reason,
    close_session,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (result.outcome !== "closed") return;
  ctx.committed(partition);
  await settleGoods(ctx, result.order);
}

export const lookUp = (ctx: PaymentContext, gateway: PaymentGateway, attempt: AttemptRecord) =>
  askGateway(ctx, gateway, attempt.id, async (signal) =>
    gateway.getPayment
      ? checkResult(
          gateway,
          await gateway.getPayment({ id: attempt.id, reference: attempt.reference, signal }),
        )
      : null,
  );

/** Reserves in the host's own catalog before the order is written; the answer gives it back should the order not come about. */
async function reserveGoods(
  ctx: PaymentContext,
  session: SessionRecord,
  order_id: string,
): Promise<() => Promise<void>> {
  const { store_id, livemode } = session;
  const lines = session.lines.map(({ product_id, quantity }) => ({ product_id, quantity }));
  const open = session.status === "open" && ctx.now() < session.expires_at;
  if (!ctx.source?.reserve || !open) return async () => {};
  const reservation = { store_id, livemode, order_id, lines };
  const kept = await ctx.source.reserve({ ...reservation, expires_at: iso(session.expires_at) });
  if (!kept) return fail("insufficient_stock");
  return async () => {
    await ctx.source
      ?.release?.(reservation)
      ?.catch((error: unknown) => ctx.onError(error, "catalog"));
  };
}

function present(
  session: SessionRecord,
  order: OrderRecord,
  attempt: AttemptRecord | null,
): SubmitResult {
  const shown = renderOrder(order);
  if (order.status === "failed") return { status: "failed", order: shown, redirect_url: null };
  if (order.status !== "pending")
    return {
      status: "paid",
      order: shown,
      redirect_url: fillSessionId(session.success_url, session.id),
    };
  const redirect_url = attempt?.state === "in_flight" ? attempt.redirect_url : null; // the page of a payment that is over pays nothing
  return {
    status: redirect_url === null ? "pending" : "requires_action",
    order: shown,
    redirect_url,
  };
}
