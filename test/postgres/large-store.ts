import assert from "node:assert/strict";
import type pg from "pg";
import { expect } from "vitest";
import type { Storage } from "vitrine";
import { DOCUMENT_VERSION } from "../../src/rules/catalog/render.ts";
import { applyPayment, submitSession } from "../../src/steps/checkout-steps.ts";
import { createSession } from "../../src/steps/key-steps.ts";
import { reserveRefund } from "../../src/steps/order-steps.ts";
import { putProducts } from "../../src/steps/product-steps.ts";
import { putRecord } from "../../src/steps/record-steps.ts";
import { createStore } from "../../src/steps/store-steps.ts";
import { fixtures } from "../../src/testing/conformance/fixtures/fixtures.ts";
import { paymentFixtures } from "../../src/testing/conformance/fixtures/payment-fixtures.ts";
import { categoryRecord } from "../../src/testing/conformance/fixtures/record-fixtures.ts";
import { refundFixtures } from "../../src/testing/conformance/fixtures/refund-fixtures.ts";

// A store of any size, and what is asked of it.

export interface StoreSize {
  readonly products: number;
  readonly orders: number;
  readonly deliveries: number;
}

export const partition = { store_id: "str_A", livemode: false };
const { clock, newId } = {
  clock: { now: () => 1_000_000, advance: () => {} },
  newId: (kind: string) => `${kind}_${crypto.randomUUID()}`,
};

/**
 * Fills two stores, half of the rows each; one of them is asked. Every tenth product is in a
 * category, and one product in a thousand has a rare word in its name. Ten products of a store
 * are the variants of one thing.
 */
export const fillOf = (
  rows: (count: number) => string,
  { products, orders, deliveries }: StoreSize,
): readonly string[] => [
  `insert into products (store_id, id, slug, position, active, name_folded, document_version, document_live, document_test, record, group_id, combination, group_hidden, price, category_ids, available_live, available_test, facets_at)
    select case when n % 2 = 0 then 'str_A' else 'str_B' end, 'prod_' || n, 'slug-' || n, n % 1000, 1,
      'common thing ' || n || case when n % 1000 = 0 then ' rareword' else '' end, ${DOCUMENT_VERSION}, '{}', '{}', '{"id":"prod_' || n || '","price":' || n % 700 || ',"created_at":' || n || ',"updated_at":1}',
      'g_' || n / 20, n, case when n % 20 < 2 then null else 1 end,
      n % 700, case when n % 10 = 0 then '["cat_1"]' else '[]' end, 2, 2, 1 from ${rows(products)}`,
  `insert into product_categories (store_id, category_id, product_id, position, price, created_at, group_hidden) select 'str_A', 'cat_1', 'prod_' || n, n % 1000, n % 700, n, case when n % 20 = 0 then null else 1 end from ${rows(products)} where n % 10 = 0`,
  `insert into search_words (store_id, word, products) select 'str_A', 'word' || n, 1 from ${rows(20_000)}`,
  `insert into search_words (store_id, word, products) values ('str_A', 'rareword', 1), ('str_A', 'common', 1)`,
  `insert into search_deletions (store_id, deletion, word) select 'str_A', 'wor' || n, 'word' || n from ${rows(20_000)}`,
  `insert into search_deletions (store_id, deletion, word) values ('str_A', 'rarewo', 'rareword'), ('str_A', 'comon', 'common')`,
  `insert into stock (store_id, livemode, product_id, stock, held) select 'str_A', 0, 'prod_' || n, 9, 0 from ${rows(products)} where n % 2 = 0`,
  `insert into checkout_sessions (store_id, livemode, id, status, expires_at, record) select 'str_A', 0, 'cs_' || n, 'complete', n, '{"id":"cs_' || n || '"}' from ${rows(orders)}`,
  `insert into orders (store_id, livemode, id, number, status, session_id, customer_id, updated_at, created_at, record)
    select 'str_A', 0, 'ord_' || n, n, case when n % 50 = 0 then 'refunded' else 'paid' end, 'cs_' || n, 'cus_' || n % 1000, n, n, '{"id":"ord_' || n || '","number":' || n || '}' from ${rows(orders)}`,
  `insert into idempotency_keys (store_id, livemode, key_kind, operation, idempotency_key, fingerprint, session_id, locked_until, created_at)
    select 'str_A', 0, 'publishable', 'createCheckoutSession', 'key-' || n, 'f', 'cs_' || n, 0, n from ${rows(20_000)}`,
  `insert into counters (store_id, livemode, order_number, sequence) values ('str_A', 0, ${orders}, ${orders})`,
  `insert into events (store_id, livemode, id, sequence, type, created_at, body) select 'str_A', 0, 'evt_' || n, n, 'order.paid', n, '{}' from ${rows(orders)}`,
  `insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, created_at, updated_at)
    select 'str_A', 0, 'we_' || n % 100, 'evt_' || n, 'order.paid', case when n % 1000 = 0 then 'pending' else 'delivered' end, 1, n, n, n from ${rows(deliveries)}`,
  `insert into payment_attempts (store_id, livemode, id, order_id, gateway, reference, payment_reference, state, created_at, record)
    select 'str_A', 0, 'pay_' || n, 'ord_' || n, 'sandbox', 'ref_' || n, 'ref_' || n, 'succeeded', n, '{}' from ${rows(20_000)}`,
  `insert into payments (store_id, livemode, gateway, account, payment_reference, id, attempt_id, order_id, record)
    select 'str_A', 0, 'sandbox', '', 'ref_' || n, 'pay_' || n, 'pay_' || n, 'ord_' || n, '{}' from ${rows(20_000)}`,
  `insert into refunds (store_id, livemode, order_id, id, reference, record)
    select 'str_A', 0, 'ord_' || n, 'rf_' || n, 'ref_' || n, '{}' from ${rows(20_000)}`,
  `insert into delivery_attempts (store_id, endpoint_id, event_id, attempt, started_at, duration_ms)
    select 'str_A', 'we_' || n % 100, 'evt_' || n, 1, n, 5 from ${rows(20_000)}`,
];

/** The rows that a page of `exercise` passes over, a number that no other of its values is. */
export const farOffset = 417;

/** Does through the storage port what requests, purchases and the owner's pages do. */
export async function exercise(storage: Storage): Promise<void> {
  const { scope, reply, session, submission, openSession } = fixtures({
    storage,
    clock,
    newId,
    assert,
  });
  const { catalog, checkout, orders: sales, webhooks, access, limits } = storage;
  await access.findAccess("hash");
  for (const name of ["prod_500", "slug-500"])
    expect(await catalog.findProduct(partition, name)).not.toBeNull();
  const after = { position: 500, id: "prod_5" };
  for (const more of [
    {},
    { after },
    { category_slug: "c" },
    { category_id: "cat_1", after },
    { search: "rareword" },
    { search: "nothing such" },
    { search: "common" },
    { search: "g 9", after },
    { search: "rareword", category_slug: "c" },
    { sort: "price" },
    { sort: "-price", after },
    { sort: "newest" },
    { sort: "newest", after },
    { sort: "price", category_slug: "c" },
    { sort: "-price", search: "rareword", after },
    { sort: "relevance", search: "rareword" },
    { sort: "relevance", search: "thing rareword", category_slug: "c", after },
    { sort: "relevance", search: "g 9" },
    { sort: "relevance", search: "common", category_slug: "c", after },
    { offset: farOffset },
    { offset: 1_200 },
    { group: "first", offset: farOffset },
    { group: "first" },
    { group: "first", after },
    { group: "first", sort: "price" },
    { group: "first", sort: "newest", after },
    { group: "first", category_slug: "c" },
    { group: "first", category_slug: "c", sort: "-price", after },
    { group: "first", search: "rareword", sort: "relevance" },
    { search: "rarewrod", sort: "relevance", correct: true },
    { search: "comon rarewodr", sort: "relevance", correct: true },
    { search: "rareword", sort: "relevance", facets: true },
    { search: "rareword", category_slug: "c", sort: "relevance", facets: true },
  ] as const)
    expect((await catalog.listProducts({ ...partition, ...more, limit: 20 })).outcome).toBe(
      "listed",
    );
  await catalog.listCategories(partition.store_id);
  await checkout.loadCart(partition, ["prod_2", "prod_4"], "CODE");
  const look = {
    ...scope("key"),
    fingerprint: "f",
    product_ids: ["prod_2"],
    coupon_code: null,
    customer_keys: ["hash", "cus_7"],
    now: clock.now(),
  };
  await checkout.openCheckout(look);
  const own = session();
  await createSession(checkout, scope("key"), {
    session: own,
    reply: reply(own),
    lock_token: null,
  });
  const [line] = session().lines;
  if (!line) throw new Error("no line");
  const open = await openSession({ lines: [{ ...line, product_id: "prod_sold" }] });
  expect((await submitSession(sales, submission(open))).outcome).toBe("submitted");
  await sales.find("order", partition, "ord_77");
  for (const more of [
    {},
    { after: "ord_1000" },
    { status: "refunded" as const },
    { status: "refunded" as const, after: "ord_1000" },
  ])
    expect((await sales.listOrders({ ...partition, ...more, limit: 20 })).outcome).toBe("listed");
  await sales.listCustomerOrders({
    ...partition,
    customer_id: "cus_7",
    customer_keys: ["hash", "cus_7"],
    token_issued_at: 1,
    limit: 20,
  });
  expect((await webhooks.listEvents({ ...partition, after: "evt_500", limit: 20 })).outcome).toBe(
    "listed",
  );
  await webhooks.listDeliveries({ ...partition, limit: 50 });
  await webhooks.listDeliveries({ ...partition, endpoint_id: "we_7", limit: 50 });
  await storage.gauges.read(clock.now());
  await limits.hit({ bucket: "b", limit: 10, window_ms: 1_000 }, clock.now());
}

/** Does what concerns a few rows of a store: nothing here may read all of them. */
export async function lookUp(storage: Storage): Promise<void> {
  const context = { storage, clock, newId, assert };
  const { session, openSession } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const { orders, backOffice } = storage;
  const [line] = session().lines;
  if (!line) throw new Error("no line");

  const attempt = await start(await openSession({ lines: [{ ...line, product_id: "prod_sold" }] }));
  const paid = await applyPayment(orders, result(attempt, "succeeded"));
  if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);
  const reference = newId("re");
  const refunded = await reserveRefund(
    orders,
    refundFixtures(context).refund(paid.order, { reference, amount: 1 }),
  );
  expect(refunded.outcome).toBe("reserved");

  const order_id = paid.order.id;
  expect(await orders.listRefunds({ ...partition, order_id, limit: 20 })).toHaveLength(1);
  expect(await orders.listPayments(partition, order_id)).toHaveLength(1);
  expect((await backOffice.findHistory(partition, order_id))?.attempts).toHaveLength(1);
  const sandbox = { gateway: "sandbox", account: null, livemode: false };
  await orders.findAttempts({ ...sandbox, references: ["ref_7"], payment_id: null });
  for (const search of ["ref_7", "ord_7", "cs_7"])
    expect(await backOffice.searchOrders({ ...partition, search, limit: 20 })).toMatchObject({
      outcome: "listed",
      orders: [{ id: "ord_7" }],
    });
}

export async function prepareStores(storage: Storage): Promise<void> {
  const { store, coupon, product } = fixtures({ storage, clock, newId, assert });
  await storage.migrate();
  await createStore(storage.records, store());
  await createStore(storage.records, store({ id: "str_B", slug: "b" }));
  await putRecord(storage.records, "category", categoryRecord("cat_1"));
  await putRecord(storage.records, "coupon", coupon("CODE"));
  await putProducts(storage.records, "str_A", [
    { record: product("prod_sold", { stock: 9 }), set_stock: true },
  ]);
}

/** Writes a product that is stored, and one that is not. */
export async function writeTwo(storage: Storage): Promise<void> {
  const { product } = fixtures({ storage, clock, newId, assert });
  const put = await putProducts(
    storage.records,
    "str_A",
    ["prod_sold", "prod_new"].map((id) => ({
      record: product(id, { slug: id, sku: id, category_ids: ["cat_1"] }),
      set_stock: false,
    })),
  );
  expect(put).toMatchObject({ outcome: "stored" });
}

/** Builds the indexes after the rows are there, which is faster than row by row. */
export async function withoutIndexes(
  pool: pg.Pool,
  schema: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await pool.query(
    `select indexname, indexdef from pg_indexes where schemaname = $1
     and not exists (select 1 from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = $1 and c.conname = indexname)`,
    [schema],
  );
  for (const { indexname } of rows) await pool.query(`drop index "${indexname}"`);
  await work();
  for (const { indexdef } of rows) await pool.query(indexdef);
}
