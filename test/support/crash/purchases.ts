import { expect } from "vitest";
import type { PaymentGateway } from "vitrine/gateway";
import { type Outbox, shuffledWithRepeats } from "../../providers/outbox.ts";
import { type Notify, notifier } from "../notify.ts";
import { createShop, type Shop } from "../shop.ts";
import type { CrashDatabase } from "./databases.ts";
import { type Mortals, startMortals } from "./mortals.ts";

/** A provider as the crash test drives it. */
export interface CrashProvider {
  /** The worker's file: it calls `runCrashWorker`. */
  readonly worker: string;
  /** How a worker reaches the provider. */
  readonly job: unknown;
  readonly types: readonly ("card" | "pix")[];
  readonly outbox: Outbox;
  gateway(now: () => number): PaymentGateway;
  /** Buyers pay when no process looks, and some of them twice. */
  payLater(): void;
  /** What the provider keeps of each money, by its own books: minor units by its id. */
  held(): ReadonlyMap<string, number>;
}

export interface CrashRun {
  readonly purchases: number;
  readonly database: CrashDatabase;
  open(world: { now(): number; readonly notify: Notify }): Promise<CrashProvider>;
}

/** A session lives for 30 minutes, so they are made a few at a time. */
const batch = 50;
const hourMs = 3_600_000;

/**
 * Kills processes while money moves, lets maintenance and the provider's messages settle
 * what was left, and compares the books with the provider's, order by order.
 */
export async function expectEqualBooks({ purchases, database, open }: CrashRun): Promise<void> {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const later = (hours: number): void => {
    offset = hours * hourMs;
  };
  const provider = await open({
    now,
    // A host that fails is sent the message again.
    notify: async (message) =>
      Math.random() < 0.2 ? 500 : notifier(() => shop.storefront)(message),
  });
  await database.storage.migrate();
  const gateway = provider.gateway(now);
  const shop = await createShop(database.storage, {
    limits: { checkout: null },
    now,
    gateways: [{ ...gateway, returnDuplicates: true }],
  });
  const method_ids = await offer(shop, provider, gateway.id);
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: purchases });

  const { storage: _, ...where } = database;
  const mortals = await startMortals(provider.worker, {
    ...where,
    store_id: shop.a.id,
    method_ids,
    provider: provider.job,
  });
  const deliver = () => provider.outbox.deliver(shuffledWithRepeats);

  try {
    await buyAll({ shop, mortals, purchases, deliver });
    provider.payLater();
    for (const hours of [0.5, 2, 4, 30]) {
      later(hours);
      while (await mortals.run({ work: "maintain", offset })) await deliver();
      await deliver();
    }
  } finally {
    mortals.end();
  }
  expect(mortals.kills).toBeGreaterThan(0);

  // A return or a question that a kill interrupted is due again up to a day later.
  for (const hours of [31, 44, 56]) {
    later(hours);
    for (let round = 0; round < 20 && provider.outbox.waiting.length > 0; round += 1)
      await deliver();
    await shop.storefront.runMaintenance();
  }
  await compareBooks(shop, gateway.id, provider.held());
  await shop.storefront.close();
}

const offer = (shop: Shop, { types }: CrashProvider, gateway: string): Promise<string[]> =>
  Promise.all(
    types.map(async (type) => {
      const method = { type, name: type, currencies: ["BRL"], gateway };
      return (await shop.owner.paymentMethods.create(shop.a.id, method)).id;
    }),
  );

interface Buying {
  readonly shop: Shop;
  readonly mortals: Mortals;
  readonly purchases: number;
  deliver(): Promise<void>;
}

/** A purchase that a process has begun and left is not begun again by the next one. */
async function buyAll({ shop, mortals, purchases, deliver }: Buying): Promise<void> {
  for (let made = 0; made < purchases; made += batch) {
    const left = new Set<string>();
    for (let at = made; at < Math.min(made + batch, purchases); at += 1)
      left.add(shop.tokenOf(await shop.session()));

    while (left.size > 0) {
      const task = { work: "buy", offset: 0, tokens: [...left] } as const;
      await mortals.run(task, (token) => left.delete(token));
      await deliver();
    }
  }
}

export async function compareBooks(
  shop: Shop,
  gateway: string,
  held: ReadonlyMap<string, number>,
): Promise<void> {
  const known = new Set<string>();
  let paid = 0;

  for await (const { id, status, amount_refunded } of ordersOf(shop)) {
    if (status !== "failed") paid += 1;
    const where = { store_id: shop.a.id, livemode: false };
    const all = await shop.storefront.orders.listPayments(id, where);
    const there = all.filter((payment) => payment.gateway === gateway);
    for (const { payment_reference } of there) known.add(payment_reference);

    const booked = sum(there.map(({ amount, amount_returned }) => amount - amount_returned));
    const kept = sum(there.map(({ payment_reference }) => held.get(payment_reference) ?? 0));
    const found = { id, status, payments: there.map((payment) => payment.status) };
    // What another gateway has taken, it gives back.
    const refunded = there.length > 0 ? amount_refunded : 0;
    expect({ ...found, booked: booked - refunded }).toEqual({ ...found, booked: kept });
  }
  expect(paid).toBeGreaterThan(0);

  // No money came that no order knows of.
  const unknown = [...held].filter(([id, amount]) => amount !== 0 && !known.has(id));
  expect(unknown).toEqual([]);
}

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);

async function* ordersOf(shop: Shop) {
  let cursor = "";
  for (let more = true; more; ) {
    const { body } = await shop.get(`/orders?limit=100${cursor}`, { key: shop.a.test.sec });
    yield* body.data;
    more = body.has_more;
    cursor = `&starting_after=${body.next_cursor}`;
  }
}
