import type pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import type { CatalogSource } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

describe("a host whose pool has two connections, both in transactions of its own", () => {
  let shop: Shop;
  let pool: pg.Pool;
  let confirmed: string[];
  beforeEach(async () => {
    confirmed = [];
    const article = ownArticle("42");
    const catalog: CatalogSource = {
      list: async () => ({ products: [article], next: null }),
      find: async () => article,
      categories: async () => [],
      cart: async () => [{ product: article, on_hand: 5 }],
      reserve: async () => true,
      confirm: async ({ order_id }) => void confirmed.push(order_id),
      release: async () => {},
    };
    const opened = await openPostgresOn({ max: 2 });
    pool = opened.pool;
    shop = await createShop(opened.storage, { limits: { checkout: null }, catalog });
  });

  const partition = () => ({ store_id: shop.a.id, livemode: false });
  const payment = (reference: string) => ({
    ...partition(),
    reference,
    amount: 1000,
    currency: "BRL",
  });
  const newSession = async (): Promise<string> =>
    (await shop.session({ items: [{ product_id: "42", quantity: 1 }] })).body.data.id;

  async function inTransaction<T>(step: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const result = await step(client);
      await client.query("commit");
      return result;
    } finally {
      client.release();
    }
  }

  test("two steps at once use their own connections alone", async () => {
    const [first, second] = [await newSession(), await newSession()];
    const { checkout, orders } = shop.storefront;
    const began = performance.now();
    const failed = await Promise.all(
      [first, second].map((id) =>
        inTransaction((client) =>
          checkout.complete(id, { ...payment(`no_${id}`), status: "failed" }, { client }),
        ),
      ),
    );
    expect(failed.map(({ status }) => status)).toEqual(["failed", "failed"]);

    const paid = await Promise.all(
      failed.map(({ id }) =>
        inTransaction((client) => orders.markPaid(id, payment(`yes_${id}`), { client })),
      ),
    );
    expect(paid.map(({ status }) => status)).toEqual(["paid", "paid"]);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test("the next maintenance confirms the pieces of the host's own catalog", async () => {
    const id = await newSession();
    const order = await inTransaction((client) =>
      shop.storefront.checkout.complete(id, { ...payment("r1"), status: "paid" }, { client }),
    );
    expect(confirmed).toEqual([]);

    await shop.storefront.runMaintenance();
    expect(confirmed).toEqual([order.id]);
  });
});
