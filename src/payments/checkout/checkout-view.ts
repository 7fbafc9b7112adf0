import { fail } from "../../contract/errors.ts";
import type { CheckoutSession } from "../../contract/schemas.ts";
import { fillSessionId } from "../../domain/url-rules.ts";
import { renderPaymentMethod, renderSession, renderStore } from "../../rules/catalog/render.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import { readToken } from "../../rules/checkout/checkout-urls.ts";
import { awaitsPayment, isPaid } from "../../rules/orders/order-states.ts";
import { type BuyerReason, buyerReason } from "../../rules/payments/decline-reasons.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type {
  OrderRecord,
  Partition,
  PaymentMethodRecord,
  SessionRecord,
} from "../../rules/records.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import type {
  CheckoutView,
  RecurringPayment,
  SubmitResult,
  WaitingElement,
} from "./checkout-service.ts";
import { usableOf } from "./payment-choice.ts";

/**
 * A checkout token leads to this: the session, its order, and the payment attempt
 * that is in flight or else the newest.
 */
export interface FoundCheckout {
  readonly partition: Partition;
  readonly session: SessionRecord;
  readonly order: OrderRecord | null;
  readonly attempt: AttemptRecord | null;
}

export async function findCheckout(ctx: PaymentContext, token: string): Promise<FoundCheckout> {
  return findNamed(ctx, await nameOf(ctx, token));
}

type Named = NonNullable<Awaited<ReturnType<typeof readToken>>>;

const unknownCheckout = (): never =>
  fail("resource_not_found", { param: "token", message: "There is no such checkout." });

const nameOf = async (ctx: PaymentContext, token: string): Promise<Named> =>
  (await readToken(ctx.keyRing, token)) ?? unknownCheckout();

async function findNamed(
  ctx: PaymentContext,
  { partition, session_id }: Named,
): Promise<FoundCheckout> {
  const found = await ctx.storage.orders.findCheckout(partition, session_id);
  return found ? { ...found, partition } : unknownCheckout();
}

export async function viewCheckout(ctx: PaymentContext, token: string): Promise<CheckoutView> {
  const named = await nameOf(ctx, token);
  const { store_id } = named.partition;
  // The signed token names the store, so that one wait is enough for all of it.
  const [{ session, order, attempt }, { store, methods }] = await Promise.all([
    findNamed(ctx, named),
    ctx.shops.find(store_id),
  ]);
  if (!store) return fail("resource_not_found");

  const usable = usableOf(ctx, session, methods);
  return {
    store: renderStore(store),
    session: await renderCheckoutSession(ctx, session),
    livemode: session.livemode,
    recurring: recurringPayment(ctx, session, usable),
    payment_methods: usable.map(renderPaymentMethod),
    order: order && renderOrder(order),
    refusal: order && refusalOf(order, attempt),
    next_action: order && submitResult(session, order, attempt).next_action,
    element: elementOf(ctx, attempt),
    providers: providersOf(ctx, session, usable),
    success_url: fillSessionId(session.success_url, session.id),
    cancel_url: fillSessionId(session.cancel_url, session.id),
  };
}

/** Gives null where the last payment was not refused, or the provider gave no reason. */
const refusalOf = (order: OrderRecord, attempt: AttemptRecord | null): BuyerReason | null =>
  order.status === "failed" && attempt?.state === "failed"
    ? buyerReason(attempt.decline_code)
    : null;

function elementOf(ctx: PaymentContext, attempt: AttemptRecord | null): WaitingElement | null {
  if (attempt?.state !== "in_flight" || attempt.next_action?.type !== "client_secret") return null;

  const { gateway, livemode, method_id } = attempt;
  const element = findGateway(ctx, gateway, livemode)?.element;
  return element ? { ...element, payment_method_id: method_id } : null;
}

const providersOf = (
  ctx: PaymentContext,
  { livemode }: SessionRecord,
  methods: readonly PaymentMethodRecord[],
): readonly string[] => [
  ...new Set(
    methods.flatMap(({ gateway }) => findGateway(ctx, gateway ?? "", livemode)?.provider ?? []),
  ),
];

/** Gives null for a single purchase. A recurring product stands alone in its session. */
function recurringPayment(
  ctx: PaymentContext,
  { lines: [line], livemode, renews }: SessionRecord,
  methods: readonly PaymentMethodRecord[],
): RecurringPayment | null {
  if (!line?.recurring) return null;

  const { interval, interval_count } = line.recurring;
  const isKept = (method: PaymentMethodRecord): "always" | "with_tax_id" | "never" => {
    const gateway = method.gateway === null ? null : findGateway(ctx, method.gateway, livemode);
    if (!gateway?.chargeSaved) return "never";
    return gateway.keeps?.({ method, interval, interval_count }) ?? "always";
  };
  const kept = methods.map((method) => ({ id: method.id, when: isKept(method) }));
  return {
    ...line.recurring,
    ...(renews && { renews: true as const }),
    amount: line.amount_subtotal,
    saved_by: kept.filter(({ when }) => when !== "never").map(({ id }) => id),
    needs_tax_id: kept.filter(({ when }) => when === "with_tax_id").map(({ id }) => id),
  };
}

export async function renderCheckoutSession(
  ctx: PaymentContext,
  session: SessionRecord,
): Promise<CheckoutSession> {
  const { now } = await ctx.clock.of(session);
  return renderSession(session, await ctx.checkoutUrls.address(session), now);
}

/** Says how a submission stands, and where the buyer goes next. */
export function submitResult(
  session: SessionRecord,
  order: OrderRecord,
  attempt: AttemptRecord | null,
): SubmitResult {
  const rendered = renderOrder(order);
  if (isPaid(order.status)) {
    const redirect_url = fillSessionId(session.success_url, session.id);
    return { status: "paid", order: rendered, redirect_url, next_action: null };
  }
  if (!awaitsPayment(order.status))
    return { status: "failed", order: rendered, redirect_url: null, next_action: null };

  // Nobody can pay on the gateway's page any more once its payment has a result.
  const next_action = attempt?.state === "in_flight" ? attempt.next_action : null;
  const redirect_url = next_action?.type === "redirect" ? next_action.url : null;
  const status = next_action === null ? "pending" : "requires_action";
  return { status, order: rendered, redirect_url, next_action };
}
