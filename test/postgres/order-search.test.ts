import assert from "node:assert/strict";
import { expect, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { completeSession } from "../../src/steps/checkout-steps.ts";
import { reserveRefund } from "../../src/steps/order-steps.ts";
import type { OrderSearch } from "../../src/storage/back-office-store.ts";
import { unknownBuyer } from "../../src/testing/conformance/fixtures/command-fixtures.ts";
import { fixtures } from "../../src/testing/conformance/fixtures/fixtures.ts";
import { refundFixtures } from "../../src/testing/conformance/fixtures/refund-fixtures.ts";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { nodesOf, recordingPool, type Statement } from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";

const partition = { store_id: "str_A", livemode: false };
let ids = 0;
const context = (storage: Storage) => ({
  storage,
  assert,
  clock: { now: () => 1_000_000, advance: () => {} },
  newId: (kind: string) => `${kind}_${++ids}`,
});

const { open, pool, schema } = await databasesBySql("order_search");
const statements: Statement[] = [];

/** What an older version left: no order is indexed. */
const forgetIndex = [
  "update orders set created_at = null",
  "delete from order_terms",
  "delete from customer_totals",
];

test.each(["sqlite", "postgres"] as const)(
  "orders of an older version are indexed once, beside steps and several processes, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const { shop, openSession, completion } = fixtures(context(storage));
    const { refund } = refundFixtures(context(storage));
    await shop();
    const buy = async (id: string) => {
      const buyer = { ...unknownBuyer, id, email: `${id}@example.com` };
      const sold = await completeSession(
        storage.orders,
        completion(await openSession(), { buyer }),
      );
      if (sold.outcome !== "paid") throw new Error(sold.outcome);
      return sold.order;
    };
    const sold = [];
    for (let count = 0; count < 40; count += 1) sold.push(await buy(`u_${count % 4}`));
    for (const text of forgetIndex) await run(text);

    const [first, second] = sold;
    if (!first || !second) throw new Error("No orders.");
    const refunded = async (order: typeof first) => {
      const asked = refund(order, { reference: `back_${order.id}`, amount: 100 });
      return reserveRefund(storage.orders, { ...asked, moved_by_host: true });
    };
    await refunded(first);
    const erasure = { store_id: "str_A", customer_id: "u_3", customer_keys: ["h"], now: 1 };
    let next: string | null = null;
    do ({ next } = await storage.privacy.eraseChunk(erasure, next));
    while (next !== null);

    const indexAll = async (): Promise<number> => {
      let done = 0;
      for (;;) {
        const chunk = await storage.backOffice.indexOrders(3);
        if (chunk === 0) return done;
        done += chunk;
      }
    };
    const [done] = await Promise.all([
      Promise.all([indexAll(), indexAll(), indexAll()]),
      refunded(second),
      buy("u_0"),
    ]);
    const rest = await indexAll();
    expect(done.reduce((sum, count) => sum + count, rest)).toBe(40);

    const totals = await storage.backOffice.listCustomers(partition, { after: null, limit: 10 });
    expect(totals.map(({ id, totals: [own] }) => [id, own?.orders, own?.spent])).toEqual([
      ["u_0", 11, 10_900],
      ["u_1", 10, 9_900],
      ["u_2", 10, 10_000],
    ]);
    const find = async (search: string) => {
      const found = await storage.backOffice.searchOrders({ ...partition, search, limit: 100 });
      return found.outcome === "listed" ? found.orders.length : null;
    };
    expect(await Promise.all([find("u_0@"), find("u_3@"), find("prod_1")])).toEqual([11, 0, 41]);
    await storage.close();
  },
);

const rows = Number(process.env["ORDER_SEARCH_ROWS"] ?? 20_000);

const fill = [
  `insert into orders (store_id, livemode, id, number, status, session_id, customer_id, updated_at, created_at, record)
    select 'str_B', 0, 'ord_' || n, n, case when n % 50 = 0 then 'refunded' else 'paid' end, 'cs_' || n,
      'u_' || n % 1000, n, n, '{"id":"ord_' || n || '","number":' || n || '}' from generate_series(1, ${rows}) as n`,
  `insert into order_terms (store_id, livemode, term, number)
    select 'str_B', 0, 'e:user' || n % 5000 || '@example.com', n from generate_series(1, ${rows}) as n
    union all select 'str_B', 0, 'p:prod_' || n % 10, n from generate_series(1, ${rows}) as n
    union all select 'str_B', 0, 'c:ucp', n from generate_series(1, ${rows}) as n
    union all select 'str_B', 0, 'c:ucp:agent' || n % 100, n from generate_series(1, ${rows}) as n`,
  `insert into payment_attempts (store_id, livemode, id, order_id, gateway, reference, state, created_at, record)
    select 'str_B', 0, 'pay_' || n, 'ord_' || n, 'g', 'ref_' || n, 'succeeded', n, '{}' from generate_series(1, ${rows}) as n`,
  `insert into customer_totals (store_id, livemode, customer_id, currency, orders, spent)
    select 'str_B', 0, 'u_' || n, 'BRL', 1, 1 from generate_series(1, ${rows} / 20) as n`,
];

test(`at ${rows} orders each search reads an index and at most 1,000 blocks`, {
  timeout: 300_000,
}, async () => {
  await postgresStorage(pool, { schema }).migrate();
  const tables = await keepStatistics(pool, schema);
  for (const text of fill) await pool.query(text);
  await pool.query(`analyze ${tables}`);
  const storage = postgresStorage(recordingPool(pool, statements), { schema });
  const middle = Math.floor(rows / 2);
  const searches: readonly Partial<OrderSearch>[] = [
    {},
    { after: `ord_${middle}` },
    { status: "refunded", after: `ord_${middle}` },
    { customer_id: "u_7" },
    { created_from: middle, created_to: middle + 100 },
    { created_from: middle, after: `ord_${middle + 50}` },
    { search: `#${middle}` },
    { search: `ord_${middle}` },
    { search: `cs_${middle}` },
    { search: `ref_${middle}` },
    { search: "user77@" },
    { search: "user777" },
    { search: "nobody" },
    { product_id: "prod_7" },
    { product_id: "prod_7", after: `ord_${middle}`, status: "paid" },
    { product_id: "prod_7", search: "user77@" },
    { channel: "ucp" },
    { channel: "ucp:agent7", after: `ord_${middle}` },
    { channel: "ucp:agent7", status: "paid" },
    { channel: "ucp", product_id: "prod_7", after: `ord_${middle}` },
    { channel: "ucp:agent77", search: "user77@" },
  ];
  const store = { store_id: "str_B", livemode: false };

  for (const search of searches) {
    statements.length = 0;
    const found = await storage.backOffice.searchOrders({ ...store, limit: 20, ...search });
    expect(found.outcome === "listed" && found.orders.length > 0).toBe(search.search !== "nobody");
    await expectCheap(JSON.stringify(search));
  }
  statements.length = 0;
  await storage.backOffice.listCustomers(store, { after: "u_5", limit: 20 });
  await storage.backOffice.indexOrders(100);
  await expectCheap("customers");
});

/** Explains the statements that were really sent. */
async function expectCheap(title: string): Promise<void> {
  const sent = statements.filter(({ text }) => /^\s*(select|with)/i.test(text));
  expect(sent.length).toBeGreaterThan(0);
  for (const { text, values } of sent) {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, values);
    const plan = rows[0]["QUERY PLAN"][0].Plan;
    const scans = nodesOf(plan).filter(
      (node) => node["Node Type"] === "Seq Scan" && Number(node["Actual Rows"]) > 100,
    );
    expect(scans, `${title} ${text}`).toEqual([]);
    const blocks = Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
    expect(blocks, `${title} ${text}`).toBeLessThan(1_000);
  }
}
