import { expect } from "vitest";
import type { Order } from "vitrine";
import type { OrderPayment } from "vitrine/gateway";
import type { OwnerCoupon, OwnerStats } from "vitrine/owner";
import type { WebhookEvent } from "vitrine/webhooks";
import { type Age, ages } from "./fleet.ts";
import type { Post } from "./receiver.ts";
import { type Sale, type Store, stock } from "./traffic.ts";

const day = 24 * 3_600_000;

/** Reads all pages of a list of the public API. */
async function readAll<Row>({ fleet, key }: Store, age: Age, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ; ) {
    const { data, has_more, next_cursor } = await fleet.do(age, {
      path: `${path}?limit=100${cursor}`,
      key,
    });
    rows.push(...data);
    if (!has_more) return rows;
    cursor = `&starting_after=${next_cursor}`;
  }
}

const gapless = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const ascending = (one: number, other: number): number => one - other;

const isPaid = ({ paid_at }: Order): boolean => paid_at !== null;

/** Both versions give the same orders, and every one that a version has acknowledged. */
export async function checkOrders(store: Store, sales: readonly Sale[]): Promise<readonly Order[]> {
  const orders = await readAll<Order>(store, "new", "/orders");
  const before = await readAll<Order>(store, "old", "/orders");
  expect(before).toHaveLength(orders.length);
  // A field that is newer is not there in the older answer.
  expect(orders).toMatchObject(before);
  expect(orders.map(({ number }) => number).sort(ascending)).toEqual(gapless(orders.length));

  const byId = new Map(orders.map((order) => [order.id, order]));
  for (const { id, kind, session, payment, paid, coupon, refunded, dispute } of sales) {
    const order = byId.get(id);
    const found = order && {
      paid: isPaid(order),
      coupon: order.coupon_code !== null,
      refunded: order.amount_refunded,
      disputed: order.status === "chargeback",
    };
    const disputed = dispute === "open" || dispute === "lost";
    const sale = { id, kind, session, payment };
    expect({ ...sale, ...found }).toEqual({ ...sale, paid, coupon, refunded, disputed });
  }
  return orders;
}

/** Each paid attempt has one row of money, which both versions list. */
export async function checkPayments(store: Store, orders: readonly Order[]): Promise<void> {
  for (const [index, order] of orders.entries()) {
    const age = ages[index % 2] ?? "old";
    const payments: readonly OrderPayment[] = await store.fleet.call(
      age,
      "orders.listPayments",
      order.id,
      store.where,
    );
    const money = payments.map(({ amount, amount_returned }) => ({ amount, amount_returned }));
    const paid = { amount: order.amount_total, amount_returned: 0 };
    expect([order.id, money]).toEqual([order.id, isPaid(order) ? [paid] : []]);
  }
}

/** Each event is there once, in order, was received, and is genuine for both versions. */
export async function checkEvents(
  store: Store,
  orders: readonly Order[],
  posts: readonly Post[],
): Promise<void> {
  const events = await readAll<WebhookEvent>(store, "new", "/events");
  expect(await readAll<WebhookEvent>(store, "old", "/events")).toEqual(events);
  expect(events.map(({ sequence }) => sequence)).toEqual(gapless(events.length));

  const told = (type: string): string[] =>
    events.flatMap((event) =>
      event.type === type && "order" in event.data ? (event.data.order?.id ?? []) : [],
    );
  const ids = (some: readonly Order[]): string[] => some.map(({ id }) => id).sort();
  expect(told("order.created").sort()).toEqual(ids(orders));
  expect(told("order.paid").sort()).toEqual(ids(orders.filter(isPaid)));

  const received = new Set(posts.map(({ rawBody }) => JSON.parse(rawBody).id));
  expect(events.filter(({ id }) => !received.has(id))).toEqual([]);
  const { secret, fleet } = store;
  for (const age of ages)
    for (const post of posts) {
      const verdict = await fleet.do(age, { verify: { ...post, secret } });
      expect(verdict).toMatchObject({ ok: true });
    }
}

/** The numbers are those of the orders for both versions; so are the coupon's uses and the stock. */
export async function checkNumbers(
  store: Store,
  orders: readonly Order[],
  sales: readonly Sale[],
): Promise<void> {
  const { fleet, where, products } = store;
  const query = {
    ...where,
    from: new Date(Date.now() - day).toISOString(),
    to: new Date(Date.now() + 90 * day).toISOString(),
    interval: "day",
  };
  const paid = orders.filter(isPaid);
  const sum = (some: readonly Order[], of: (order: Order) => number): number =>
    some.reduce((total, order) => total + of(order), 0);

  for (const age of ages) {
    const stats: OwnerStats = await fleet.call(age, "owner.stats", query);
    const [{ totals } = { totals: null }] = stats.currencies;
    expect({ age, complete_from: stats.complete_from, ...totals }).toMatchObject({
      age,
      complete_from: null,
      orders_paid: paid.length,
      amount_gross: sum(paid, ({ amount_total }) => amount_total),
      amount_refunded: sum(paid, ({ amount_refunded }) => amount_refunded),
      disputes_lost: sales.filter(({ dispute }) => dispute === "lost").length,
    });

    const coupons: { readonly data: readonly OwnerCoupon[] } = await fleet.call(
      age,
      "owner.coupons.list",
      where.store_id,
    );
    const uses = paid.filter(({ coupon_code }) => coupon_code !== null).length;
    expect([age, coupons.data[0]?.used]).toEqual([age, { live: 0, test: uses }]);

    const counted = paid.filter(({ items }) => items[0]?.product_id === products.counted).length;
    const left = await fleet.call(age, "owner.products.countStock", {
      ...where,
      product_ids: [products.counted],
    });
    expect([age, left]).toEqual([
      age,
      [{ product_id: products.counted, on_hand: stock - counted, held: 0 }],
    ]);
  }
}
