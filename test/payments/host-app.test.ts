import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CatalogSource } from "vitrine";
import { toNode } from "vitrine/node";
import { importFromDocs } from "../support/docs-module.ts";
import { readText } from "../support/markdown.ts";
import { ownArticle } from "../support/own-article.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

interface Guide {
  ownStock(pool: pg.Pool): Required<Pick<CatalogSource, "reserve" | "confirm" | "release">>;
}
const { ownStock } = await importFromDocs<Guide>("docs/embedding.md", "ownStock");
const [, freeArticles = ""] =
  /^```sql\n(create table taken_pieces[\s\S]*?)^```/m.exec(readText("docs/embedding.md")) ?? [];

// A host with a pool of two for everything: its articles with the stock of docs/embedding.md, its
// ledger, and the storefront. Its own page takes the payment and reports it in a transaction of its
// own.

const schema = `host_app_${process.pid}`;
let pool: pg.Pool;
let shop: Shop;
let base: string;
let server: ReturnType<typeof createServer>;
/** The host's database judges `expires_at` by its own clock. */
let offset: number;
beforeEach(async () => {
  offset = 0;
  const pooling = { max: 2, options: `-c search_path=${schema}` };
  // The machine that runs this may be slow: waiting for a connection is no fault here.
  const opened = await openPostgresOn(pooling, { acquireTimeoutMs: 30_000 });
  pool = opened.pool;
  await pool.query(`
    create schema ${schema};
    create table articles (sku text primary key, on_shelf integer not null);
    ${freeArticles}
    create table ledger (session_id text primary key);
    insert into articles values ('42', 6)`);

  const article = ownArticle("42");
  const catalog: CatalogSource = {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: await onShelf() }],
    ...ownStock(pool),
  };
  shop = await createShop(opened.storage, {
    limits: { checkout: null },
    catalog,
    now: () => Date.now() + offset,
    checkout: { url: ({ id }) => `https://pay.example.com/${id}`, hold: true },
  });

  const answerApi = toNode(shop.storefront);
  server = createServer(async (request, response) => {
    const [, session_id] = /^\/paid\/(\w+)$/.exec(request.url ?? "") ?? [];
    if (session_id === undefined) return answerApi(request, response);
    response.statusCode = await takePayment(session_id).then(
      () => 200,
      () => 500,
    );
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await pool.query(`drop schema ${schema} cascade`);
});

const onShelf = async (): Promise<number> =>
  (await pool.query("select on_shelf from free_articles where sku = '42'")).rows[0].on_shelf;

async function takePayment(session_id: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level read committed");
    await client.query("insert into ledger values ($1)", [session_id]);
    const payment = {
      store_id: shop.a.id,
      livemode: false,
      reference: `p_${session_id}`,
      status: "paid",
      amount: 1000,
      currency: "BRL",
    } as const;
    await shop.storefront.checkout.complete(session_id, payment, { client });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

async function openSession(index: number): Promise<string | number> {
  const response = await fetch(`${base}/v1/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${shop.a.test.pub}`,
      "content-type": "application/json",
      "idempotency-key": `buyer-${index}`,
    },
    body: JSON.stringify({
      items: [{ product_id: "42", quantity: 1 }],
      success_url: returnUrl,
      cancel_url: returnUrl,
    }),
  });
  const { data } = await response.json();
  return response.status === 201 ? data.id : response.status;
}

const pay = async (session_id: string): Promise<number> =>
  (await fetch(`${base}/paid/${session_id}`, { method: "POST" })).status;

const alerts = async (): Promise<readonly string[]> =>
  (await shop.owner.alerts.list(shop.a.id)).data.map(({ type }) => type);

test("a host with a pool of two sells what is on its shelf, once", async () => {
  const opened = await Promise.all(Array.from({ length: 16 }, (_, index) => openSession(index)));
  const held = opened.filter((id) => typeof id === "string");
  expect([held.length, await onShelf()]).toEqual([6, 0]);
  expect(new Set(opened.filter((id) => typeof id === "number"))).toEqual(new Set([400]));

  const [late = "", ...buyers] = held;
  expect(await Promise.all(buyers.map(pay))).toEqual(buyers.map(() => 200));
  await shop.storefront.runMaintenance();
  const { rows: sold } = await pool.query("select pieces from taken_pieces where sold");
  const { rows: booked } = await pool.query("select 1 from ledger");
  expect([sold.length, booked.length, await onShelf(), await alerts()]).toEqual([5, 5, 0, []]);

  // Nobody paid the sixth in time, and its piece is sold elsewhere before its money comes.
  offset = 30 * 60_000;
  expect(await shop.storefront.runMaintenance()).toMatchObject({ holds_released: 1 });
  expect(await onShelf()).toBe(1);
  await pool.query("update articles set on_shelf = 0");
  expect(await pay(late)).toBe(200);
  await shop.storefront.runMaintenance();
  expect([await onShelf(), await alerts()]).toEqual([-1, ["oversold"]]);
  await shop.storefront.runMaintenance();
  expect(await alerts()).toEqual(["oversold"]);
});

test("pieces that nobody releases are free again after their time, and a repeat moves it", async () => {
  const stock = ownStock(pool);
  const wanted = (order_id: string, quantity: number, minutes: number) => ({
    store_id: shop.a.id,
    livemode: false,
    order_id,
    lines: [
      { product_id: "42", quantity },
      { product_id: "42", quantity: 1 },
    ],
    expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  });
  expect(await stock.reserve(wanted("ord_1", 4, 10))).toBe(true);
  expect([await stock.reserve(wanted("ord_2", 2, 10)), await onShelf()]).toEqual([false, 1]);

  expect(await stock.reserve(wanted("ord_1", 4, -1))).toBe(true);
  expect(await onShelf()).toBe(6);
  expect(await stock.reserve(wanted("ord_2", 4, 10))).toBe(true);
  expect([await stock.reserve(wanted("ord_1", 4, 10)), await onShelf()]).toEqual([false, 1]);

  // Six buyers of the last piece, and the money of the first order, whose pieces are gone.
  const last = ["a", "b", "c", "d", "e", "f"].map((id) => ({
    ...wanted(`ord_${id}`, 1, 10),
    lines: [{ product_id: "42", quantity: 1 }],
  }));
  const taken = await Promise.all(last.map((one) => stock.reserve(one)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  for (let times = 0; times < 2; times += 1) await stock.confirm(wanted("ord_1", 4, 10));
  expect(await onShelf()).toBe(-5);
  expect(await stock.reserve(wanted("ord_1", 4, 10))).toBe(true);
  await stock.release(wanted("ord_1", 4, 10));
  await stock.release(wanted("ord_2", 4, 10));
  expect(await onShelf()).toBe(0);
});
