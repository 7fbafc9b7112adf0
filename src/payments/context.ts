import { timeBox } from "../domain/async/time-box.ts";
import { minuteMs } from "../domain/durations.ts";
import type { IdKind } from "../domain/keys/ids.ts";
import type { KeyRing } from "../domain/keys/key-ring.ts";
import type { Logger } from "../domain/logger.ts";
import { iso } from "../domain/text/iso.ts";
import { invalidOption } from "../input/option-error.ts";
import type { CartProduct } from "../rules/checkout/checkout-records.ts";
import type { CheckoutUrls } from "../rules/checkout/checkout-urls.ts";
import type { CustomerKeys } from "../rules/checkout/customer-keys.ts";
import type { ModeClock } from "../rules/clock/mode-clock.ts";
import { orderAlert } from "../rules/orders/order-alert.ts";
import type { EventIds, OrderIds } from "../rules/orders/order-commands.ts";
import { awaitsPayment, isPaid } from "../rules/orders/order-states.ts";
import { type Outcomes, type StepOutcome, tellOutcome } from "../rules/orders/outcomes.ts";
import type { AlertRecord, OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import type { RenewalPlan } from "../rules/subscriptions/renewal-plan.ts";
import type { OrderStore } from "../storage/order-store.ts";
import type { CatalogSource, SourceReservation } from "../storage/reads/catalog-source.ts";
import type { Storage } from "../storage/types.ts";
import type { ShopCache } from "./checkout/shop-cache.ts";
import type { PaymentGateway } from "./gateway/gateway.ts";
import type { RunningCalls } from "./gateway/running-calls.ts";

/** The payment services receive this. `createStorefront` makes it once. */
export interface PaymentContext {
  readonly storage: Storage;
  readonly checkoutUrls: CheckoutUrls;
  readonly keyRing: KeyRing;
  readonly customerKeys: CustomerKeys;
  readonly gateways: readonly PaymentGateway[];
  readonly shops: ShopCache;
  /** Knows the calls of gateways that have begun: `close()` waits for them. */
  readonly calls: RunningCalls;
  /** How long the audit log keeps an entry. */
  readonly auditKeptMs: number;
  /** When maintenance charges the later periods of subscriptions. */
  readonly renewals: RenewalPlan;
  /**
   * The ids of the gateways of each mode: a payment method of any other
   * gateway is not shown.
   */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  /**
   * The host's own catalog, whose stock is reserved, confirmed and released.
   * Null without one.
   */
  readonly source: CatalogSource | null;
  /** Reads products of the host's own catalog. It is null without one. */
  readonly sourceProducts:
    | ((partition: Partition, product_ids: readonly string[]) => Promise<readonly CartProduct[]>)
    | null;
  /** Counts a buyer's submission by the address. Throws `rate_limit_exceeded`. */
  limitPayment(partition: Partition, ip: string): Promise<void>;
  /**
   * Call it after each commit: it wakes the webhook loop and the consumers of
   * events, and clears what this process has cached of the store.
   */
  committed(partition: Partition): void;
  /** Is told what became of sessions and payments. */
  readonly outcomes: Outcomes;
  readonly logger: Logger | null;
  /** The time of records. `now` is the real time, which steps take. */
  readonly clock: ModeClock;
  now(): number;
  steadyNow(): number;
  newId(kind: IdKind): string;
  /** Tells the host of an alert that is not stored, because it belongs to no store. */
  onAlert(alert: AlertRecord): void;
  /** Resolves when the host's `onAlert` has returned, and rejects when it has failed. */
  tellAlert(alert: AlertRecord): Promise<void>;
  onError(error: unknown, where: string): void;
}

/** The host's catalog keeps pieces that are to be confirmed at once for this long. */
const confirmationMs = minuteMs;

/** Where an order step runs. */
export interface StepOptions {
  /**
   * A `pg` client inside a READ COMMITTED transaction of yours. The call uses
   * this connection alone. Your rows commit or roll back together with our order,
   * events and deliveries. Run one step per transaction, as its last work: the step
   * locks the store's counters until you commit. Nothing is retried: roll back when
   * the call throws. Pieces of your own catalog are confirmed or released by the
   * maintenance that runs next after your commit.
   */
  readonly client?: unknown;
}

/** Gives what a step of orders needs. It runs in a transaction of the host's if one is given. */
export function stepsOf(ctx: PaymentContext, { client }: StepOptions): OrderSteps {
  const { orders, joinsTransactions } = ctx.storage;
  if (client === undefined) return orders;
  if (!joinsTransactions)
    invalidOption(
      "client",
      "needs a storage that can write in your own transaction: postgresStorage",
    );
  return {
    step: (subject, decide) => orders.step({ ...subject, client }, decide),
    find: (kind, partition, id) => orders.find(kind, partition, id, client),
    findCheckout: (partition, session_id) => orders.findCheckout(partition, session_id, client),
  };
}

/** Nothing but the host's connection may be used inside the host's own transaction. */
export type OrderSteps = Pick<OrderStore, "step" | "find" | "findCheckout">;

/** Tells the observer what a step changed, but not within the host's own transaction. */
export function tellStep(
  ctx: PaymentContext,
  partition: Partition,
  outcome: StepOutcome,
  { client }: StepOptions = {},
): void {
  if (client === undefined) tellOutcome(ctx.outcomes, partition, outcome);
}

/**
 * Does what follows the commit of a step. Inside the host's own transaction it does
 * nothing, since that commit is still to come: polling and maintenance find the
 * rows afterwards.
 */
export async function afterStep(
  ctx: PaymentContext,
  partition: Partition,
  order: OrderRecord | null,
  { client }: StepOptions,
): Promise<void> {
  if (client !== undefined) return;

  ctx.committed(partition);
  if (order) await settleExternalStock(ctx, order);
}

/**
 * Says who confirms or releases the order's pieces in the host's own catalog.
 * Inside the host's transaction it is the next maintenance, because the commit is
 * still to come.
 */
export const settlement = ({ client }: StepOptions) => ({ settled_later: client !== undefined });

/**
 * Makes the ids of a step's events. A step writes at most five events: `order.created`,
 * `order.paid`, `checkout.session.completed`, `subscription.renewed`, `subscription.recovered`.
 */
export const eventIds = (ctx: PaymentContext): EventIds => ({
  events: Array.from({ length: 5 }, () => ctx.newId("evt")),
  alerts: [ctx.newId("alr"), ctx.newId("alr"), ctx.newId("alr")],
});

export const paymentIds = (ctx: PaymentContext): EventIds & Pick<OrderIds, "subscription"> => ({
  ...eventIds(ctx),
  subscription: ctx.newId("sub"),
});

export const orderIds = (ctx: PaymentContext, session: SessionRecord): OrderIds => ({
  ...paymentIds(ctx),
  // The host's catalog reserves stock under the order's id before the order is written. So that
  // simultaneous submissions reserve under the same id, it is derived from the session's.
  order: hasExternalStock(ctx) ? reservedOrderId(session) : ctx.newId("ord"),
  customer: ctx.newId("cus"),
  items: session.lines.map(() => ctx.newId("oi")),
});

/**
 * Gives the id under which the host's catalog reserves pieces before the session
 * has an order.
 */
export const reservedOrderId = ({ id }: SessionRecord): string => id.replace(/^cs_/, "ord_");

/** Says whether the stock is counted in the host's own catalog. */
export const hasExternalStock = (ctx: PaymentContext): boolean =>
  ctx.source?.confirm !== undefined || ctx.source?.reserve !== undefined;

/**
 * Confirms or releases the order's pieces in the host's own catalog, once the order
 * has its result. A failure is only reported: the order stands, and maintenance
 * repeats the call.
 */
export async function settleExternalStock(ctx: PaymentContext, order: OrderRecord): Promise<void> {
  if (!order.reserved || awaitsPayment(order.status)) return;

  const { store_id, livemode, id: order_id } = order;
  const lines = order.items.map(({ product_id, quantity }) => ({ product_id, quantity }));
  const reservation = { store_id, livemode, order_id, lines };

  try {
    if (!isPaid(order.status)) {
      if (await isReservedAnew(ctx, order)) return;
      await ctx.source?.release?.(reservation);
    } else {
      await noteOversold(ctx, order, reservation);
      await ctx.source?.confirm?.(reservation);
    }

    await ctx.storage.orders.settleReservation({ store_id, livemode }, order_id);
  } catch (error) {
    ctx.onError(error, "catalog");
  }
}

/** A shorter time than a row of maintenance may take before its gateway counts as silent. */
const catalogWaitMs = 2_000;

/**
 * Waits two seconds for the settlement of the order's pieces. The call of a catalog that does not
 * answer goes on by itself, and maintenance repeats it.
 */
export const settleStockInTime = (ctx: PaymentContext, order: OrderRecord): Promise<void> =>
  timeBox(settleExternalStock(ctx, order), catalogWaitMs, () => {
    const error = `The host's catalog takes longer than 2 s to settle order ${order.id}.`;
    ctx.onError(new Error(error), "catalog");
  });

/** Tells whether a buyer has come back meanwhile to pay an order that had ended, or has paid it. */
async function isReservedAnew(ctx: PaymentContext, order: OrderRecord): Promise<boolean> {
  const current = await ctx.storage.orders.find("order", order, order.id);
  return current !== null && (awaitsPayment(current.status) || isPaid(current.status));
}

/**
 * Asks the host's own catalog to reserve pieces. Returns true when the catalog has no `reserve`.
 * Throws when the catalog answers anything but true or false.
 */
export async function askToReserve(
  source: CatalogSource | null | undefined,
  reservation: SourceReservation,
): Promise<boolean> {
  if (!source?.reserve) return true;
  const answer: unknown = await source.reserve(reservation);
  if (typeof answer === "boolean") return answer;
  throw new Error(`The catalog option's reserve gave ${typeof answer}, and not true or false.`);
}

/**
 * Tells the owner when the host's catalog has too few pieces for a paid order. The
 * catalog answers true for pieces that it has reserved or sold for the order before.
 */
async function noteOversold(
  ctx: PaymentContext,
  order: OrderRecord,
  reservation: Omit<SourceReservation, "expires_at">,
): Promise<void> {
  const now = ctx.now();
  const expires_at = iso(now + confirmationMs);
  if (await askToReserve(ctx.source, { ...reservation, expires_at })) return;

  const alert = { id: ctx.newId("alr"), type: "oversold", subject: order.id, data: {}, now };
  await ctx.storage.orders.raiseOrderAlert(orderAlert(order, alert));
}
