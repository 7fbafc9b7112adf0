import { fail } from "../contract/errors.ts";
import type { IdKind } from "../domain/ids.ts";
import type { KeyRing } from "../domain/key-ring.ts";
import type { Logger } from "../domain/logger.ts";
import type { CheckoutUrls } from "../rules/checkout-urls.ts";
import type { EventIds, OrderIds } from "../rules/order-commands.ts";
import type { AlertRecord, OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import type { CatalogSource } from "../storage/catalog-source.ts";
import type { OrderStore } from "../storage/order-store.ts";
import type { Storage } from "../storage/types.ts";
import type { PaymentGateway } from "./gateway.ts";

/** What the payment services receive, made once by `createStorefront`. */
export interface PaymentContext {
  readonly storage: Storage;
  readonly checkoutUrls: CheckoutUrls;
  readonly keyRing: KeyRing;
  readonly gateways: readonly PaymentGateway[];
  /** Ids of the gateways configured in each mode: a payment method of another one is not shown. */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  /** The host's own stock is told of reservations. */
  readonly source: CatalogSource | null;
  /** Wakes the webhook loop and the consumers of events, and clears this process's caches of the store. */
  committed(partition: Partition): void;
  readonly logger: Logger | null;
  now(): number;
  newId(kind: IdKind): string;
  onAlert(alert: AlertRecord): void;
  /** Of alerts that are told until the host's callback returns. */
  tellAlert(alert: AlertRecord): Promise<void>;
  onError(error: unknown, where: string): void;
}

/** Where an order step runs. */
export interface StepOptions {
  /**
   * A `pg` client inside a READ COMMITTED transaction of yours: your rows and our order, events and deliveries commit or roll back together. One
   * step per transaction, as its last work: it holds the store's counters until you commit. Nothing is retried; an error is for you to roll back on.
   */
  readonly client?: unknown;
}

export function orderStore(ctx: PaymentContext, { client }: StepOptions): OrderStore {
  if (client === undefined) return ctx.storage.orders;
  return (
    ctx.storage.within?.(client) ??
    fail("invalid_option", {
      param: "client",
      message: "Option client needs a storage with transactions of yours: postgresStorage.",
    })
  );
}

/** What follows a step that this process committed; the host's own commit is still to come, and is found by polling and maintenance. */
export async function afterStep(
  ctx: PaymentContext,
  partition: Partition,
  order: OrderRecord | null,
  { client }: StepOptions,
): Promise<void> {
  if (client !== undefined) return;
  ctx.committed(partition);
  if (order) await settleGoods(ctx, order);
}

/** As many as the longest step writes: created, paid, completed, subscription created. */
export const eventIds = (ctx: PaymentContext): EventIds => ({
  events: [ctx.newId("evt"), ctx.newId("evt"), ctx.newId("evt"), ctx.newId("evt")],
  alerts: [ctx.newId("alr"), ctx.newId("alr")],
});

export const paymentIds = (ctx: PaymentContext): EventIds & Pick<OrderIds, "subscription"> => ({
  ...eventIds(ctx),
  subscription: ctx.newId("sub"),
});

export const orderIds = (ctx: PaymentContext, session: SessionRecord): OrderIds => ({
  ...paymentIds(ctx),
  // The host keeps pieces for an order before it is written: of submissions at once all must name the same one.
  order: keepsStock(ctx) ? session.id.replace(/^cs_/, "ord_") : ctx.newId("ord"),
  customer: ctx.newId("cus"),
  items: session.lines.map(() => ctx.newId("oi")),
});

export const keepsStock = (ctx: PaymentContext): boolean =>
  ctx.source?.confirm !== undefined || ctx.source?.reserve !== undefined;

/** Tells the host's catalog how the order ended. What fails here is mended by maintenance: the order stands. */
export async function settleGoods(ctx: PaymentContext, order: OrderRecord): Promise<void> {
  if (!order.reserved || order.status === "pending") return;
  const { store_id, livemode, id: order_id } = order;
  const lines = order.items.map(({ product_id, quantity }) => ({ product_id, quantity }));
  try {
    await (order.status === "failed" ? ctx.source?.release : ctx.source?.confirm)?.({
      store_id,
      livemode,
      order_id,
      lines,
    });
    await ctx.storage.orders.settleReservation({ store_id, livemode }, order_id);
  } catch (error) {
    ctx.onError(error, "catalog");
  }
}
