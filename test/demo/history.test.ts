import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { nodeTransport } from "vitrine/transport";
import { type Catalog, readCatalog } from "../../examples/demo/catalog.ts";
import { writeHistory } from "../../examples/demo/history.ts";
import { writeRecords } from "../../examples/demo/records.ts";
import { demoCurrency, seedStore } from "../../examples/demo/seed.ts";

const dayMs = 86_400_000;
const monday = Date.parse("2026-11-23T00:58:00Z");
const catalog = await readCatalog("examples/demo/catalog.csv", demoCurrency);
const origin = "http://localhost:4242";

afterEach(() => {
  vi.useRealTimers();
});

/** Seeds a store at this time as `npm start` does, and gives its orders and what is left. */
async function seedAt(now: number, products: Catalog["products"], records = false) {
  vi.useFakeTimers({ toFake: ["Date"], now });
  const past = new AsyncLocalStorage<number>();
  const shop = createStorefront({
    storage: memoryStorage(),
    now: () => past.getStore() ?? Date.now(),
    checkout: { baseUrl: `${origin}/pay` },
    docsUrl: `${origin}/v1/docs`,
    gateways: [sandboxGateway()],
    transport: nodeTransport({ allowTargets: [origin] }),
    customerTokens: { keys: [{ kid: "demo", alg: "HS256", secret: new Uint8Array(32).fill(1) }] },
    sealKey: new Uint8Array(32).fill(2),
    limits: { checkout: null, coupons: null },
  });
  const { secrets } = await seedStore(shop, {
    name: "Armazém Vitrine",
    slug: "armazem-vitrine",
    catalog: { ...catalog, products },
    known: null,
    address: { origin, webhookUrl: `${origin}/webhooks` },
    writeHistory: async (store_id, keys) => {
      const place = {
        shop,
        at: <Result>(time: number, work: () => Promise<Result>) => past.run(time, work),
        origin,
        store_id,
        publishableKey: keys.publishable,
      };
      await writeHistory(place);
      if (records) await writeRecords(place);
    },
  });

  const { store_id } = secrets;
  const partition = { store_id, livemode: false };
  const paid = await shop.owner.orders.list({ ...partition, status: "paid", limit: 100 });
  const { data } = await shop.owner.products.list(store_id, { limit: 100 });
  const product_ids = data.map(({ id }) => id);
  const stock = await shop.owner.products.countStock({ ...partition, product_ids });
  return { paid: paid.data.length, left: stock.map(({ on_hand }) => on_hand), shop, partition };
}

test.each([0, 1, 2, 3, 4, 5, 6])(
  "the demo has its three months of orders %i days after a Monday, and something of each product",
  async (days) => {
    const { paid, left } = await seedAt(monday + days * dayMs, catalog.products);
    expect(paid).toBe(100);
    expect(Math.min(...left)).toBeGreaterThan(0);
  },
);

test("a catalog whose pieces are all counted is sold by half, and an empty one not at all", async () => {
  const few = catalog.products.slice(0, 3).map((product) => ({ ...product, stock: 4 }));
  const { paid, left } = await seedAt(monday, few);
  expect(paid).toBeGreaterThan(0);
  expect(Math.min(...left)).toBeGreaterThanOrEqual(2);

  expect(await seedAt(monday, [])).toMatchObject({ paid: 0, left: [] });
});

test("the dashboard has subscriptions and disputes to show, each in several states", async () => {
  const { shop, partition } = await seedAt(monday, catalog.products, true);
  const subscriptions = await shop.subscriptions.list({ ...partition, limit: 100 });
  expect(subscriptions.data.map(({ status }) => status).sort()).toEqual([
    "active",
    "active",
    "active",
    "active",
    "active",
    "canceled",
  ]);
  expect(subscriptions.data.filter((each) => each.cancel_at_period_end)).toHaveLength(1);
  const { data } = await shop.owner.orders.list({ ...partition, limit: 100 });
  expect(data.filter(({ status }) => status === "chargeback")).toHaveLength(2);
});
