import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { AuditEntry } from "vitrine/owner";
import { type AuditedMethod, auditedCalls } from "../../src/startup/audited-calls.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { openPostgresOn, storages } from "../support/storages.ts";
import { auditedGateway, auditedWrites, personalData } from "./audited-writes.ts";

interface CallTable {
  readonly [name: string]: AuditedMethod | CallTable;
}

/** The path and the action of every write of the table. */
const writesOf = (calls: CallTable, path = ""): readonly (readonly [string, string])[] =>
  Object.entries(calls).flatMap(([name, call]) => {
    if (call === "read") return [];
    if (typeof call.action === "string") return [[path + name, call.action] as const];
    return writesOf(call as CallTable, `${path}${name}.`);
  });
const writes = writesOf(auditedCalls);

const entriesOf = async (shop: Shop, filters: object = {}): Promise<readonly AuditEntry[]> =>
  (await shop.owner.audit.list({ store_id: shop.a.id, limit: 100, ...filters })).data;

/** Fields that hold data of a buyer, free text, or a secret: the log keeps their names alone. */
const mayBePersonal: ReadonlySet<string> = new Set([
  "customer",
  "entitlements",
  "hold",
  "items",
  "metadata",
  "reason",
  "secrets",
]);

test("every write of an actor is tried below", () => {
  expect(Object.keys(auditedWrites).sort()).toEqual(writes.map(([path]) => path).sort());
});

describe.each(storages)("the audit log, on %s", (_name, open) => {
  const openShop = async () => {
    const gateways = [auditedGateway()];
    const customerPage = { baseUrl: "https://pay.example.com/account" };
    return createShop(await open(), { limits: { checkout: null }, gateways, customerPage });
  };

  test("each write of an actor leaves one entry, without secrets and personal data", async () => {
    const shop = await openShop();
    const actions = new Map(writes);

    for (const [path, prepare] of Object.entries(auditedWrites)) {
      const call = await prepare(shop);
      expect(await entriesOf(shop, { actor: path }), path).toEqual([]);
      await call(shop.storefront.as(path));

      const store_id = path === "owner.stores.create" ? "str_c" : shop.a.id;
      const entries = await entriesOf(shop, { store_id, actor: path });
      expect(
        entries.map(({ action }) => action),
        path,
      ).toEqual([actions.get(path)]);
      shop.advance(1);
    }

    const withheld = (await entriesOf(shop)).flatMap((entry) => entry.withheld);
    const fields = new Set(withheld.map((name) => name.slice(name.lastIndexOf(".") + 1)));
    expect([...fields].filter((field) => !mayBePersonal.has(field))).toEqual([]);
    const all = JSON.stringify([...(await entriesOf(shop))]);
    expect(await entriesOf(shop)).toHaveLength(writes.length - 1);
    expect(personalData.filter((text) => all.includes(text))).toEqual([]);
    expect(all).not.toMatch(/whsec_|hk_test|sealed|[0-9a-f]{64}/);
  });

  test("no write leaves an entry in a store that does not exist", async () => {
    const shop = await openShop();
    const { owner, customers } = shop.storefront.as("ana");
    const where = { store_id: "str_none", livemode: false };
    const customer = { ...where, customer_id: "cus_1" };

    for (const write of [
      () => customers.issueToken(customer),
      () => customers.revokeTokens(customer),
      () => owner.eraseCustomer("str_none", "cus_1"),
      () => owner.wipeTestData("str_none"),
      () => owner.products.putMany("str_none", []),
      () => owner.export("orders", { ...where, format: "csv" }),
    ])
      expect(await thrownBy(write())).toMatchObject({ code: "resource_not_found" });
    expect(await shop.storage.audit.list({ store_id: "str_none", limit: 9 })).toEqual([]);
  });

  test("reads pass through, and a write that is refused or changes nothing leaves no entry", async () => {
    const shop = await openShop();
    const { owner, orders } = shop.storefront.as("ana");
    const where = { store_id: shop.a.id, livemode: false };
    const order = await shop.buy();

    expect(await owner.products.retrieve(shop.a.id, shop.product.id)).toEqual(shop.product);
    expect(await orders.retrieve(order.id, where)).toEqual(order);
    await owner.products.update(shop.a.id, shop.product.id, { name: shop.product.name });
    await owner.origins.add(shop.a.id, "https://shop.example-a.com");
    await owner.origins.remove(shop.a.id, "https://other.example.com");
    for (const refused of [
      () => owner.products.update(shop.a.id, shop.product.id, { price: -1 }),
      () => owner.products.delete(shop.a.id, "prod_other"),
      () =>
        owner.coupons.create(shop.a.id, {
          code: "SAVE10",
          discount_type: "percentage",
          discount_amount: 5,
        }),
      () => orders.refund(order.id, { ...where, reference: "r", amount: 1_000_000 }),
      () => orders.markFailed(order.id, where),
    ])
      expect(await thrownBy(refused())).toHaveProperty("code");
    expect(await entriesOf(shop)).toEqual([]);

    const refund = { ...where, reference: "r", amount: 100 };
    await orders.refund(order.id, refund);
    await orders.refund(order.id, refund);
    expect(await entriesOf(shop)).toHaveLength(1);
  });

  test("an import of several transactions is one entry, which counts all of its rows", async () => {
    const shop = await openShop();
    const { owner } = shop.storefront.as("ana");
    const row = (index: number, price: number) =>
      JSON.stringify({ id: `prod_${index}`, name: "Lamp", price, currency: "BRL" });
    const file = (price: number, count: number) => ({
      store_id: shop.a.id,
      format: "jsonl" as const,
      body: Array.from({ length: count }, (_, index) => row(index, price)).join("\n"),
    });

    await owner.products.import(file(500, 250));
    shop.advance(1);
    await owner.products.import(file(600, 450));
    shop.advance(1);
    await owner.products.import(file(600, 450));
    const entries = await entriesOf(shop, { action: "products.import" });
    expect(entries.map(({ after }) => after)).toEqual([
      { created: 200, updated: 250, unchanged: 0 },
      { created: 250, updated: 0, unchanged: 0 },
    ]);
  });

  test("an import whose text breaks off has an entry that counts what is stored", async () => {
    const shop = await openShop();
    const body = async function* () {
      for (let index = 0; index < 450; index += 1)
        yield `{"id":"prod_${index}","name":"Lamp","price":500,"currency":"BRL"}\n`;
      throw new Error("The client is gone.");
    };
    const file = { store_id: shop.a.id, format: "jsonl", body: body() } as const;
    await expect(shop.storefront.as("ana").owner.products.import(file)).rejects.toThrow("gone");
    const entries = await entriesOf(shop, { action: "products.import" });
    expect(entries.map(({ after }) => after)).toEqual([{ created: 400, updated: 0, unchanged: 0 }]);
  });

  test("an order that is new shows its amounts, and names nothing of the storage's own", async () => {
    const shop = await openShop();
    const submit = await auditedWrites["checkout.submit"]?.(shop);
    await submit?.(shop.storefront.as("ana"));
    const [entry] = await entriesOf(shop, { action: "checkout.submit" });
    expect(entry?.after).toMatchObject({ "order.amount_discount": 0 });
    expect(entry?.after).toHaveProperty(["order.amount_subtotal"]);
    expect(entry?.withheld).not.toContain("order.in_stats");
  });

  test("calls of one actor that run at once have an entry each", async () => {
    const shop = await openShop();
    const { owner } = shop.storefront.as("ana");
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        owner.products.update(shop.a.id, shop.product.id, { stock: index }),
      ),
    );

    const entries = await entriesOf(shop, { subject: { type: "product", id: shop.product.id } });
    const values = (side: "before" | "after") => entries.map((entry) => entry[side]?.["stock"]);
    expect(new Set(values("after")).size).toBe(20);
    const { stock } = await shop.owner.products.retrieve(shop.a.id, shop.product.id);
    expect(new Set([...values("before"), stock])).toEqual(new Set([...values("after"), null]));
  });

  test("maintenance deletes an entry after 400 days, or after audit.keepDays", async () => {
    for (const [keepDays, options] of [
      [400, {}],
      [7, { audit: { keepDays: 7 } }],
    ] as const) {
      const shop = await createShop(await open(), options);
      await shop.storefront.as("ana").owner.stores.update(shop.a.id, { name: "B" });
      shop.advance(keepDays * 86_400_000);
      await shop.storefront.runMaintenance();
      expect(await entriesOf(shop)).toHaveLength(1);
      shop.advance(1);
      await shop.storefront.runMaintenance();
      expect(await entriesOf(shop)).toEqual([]);
    }
  });
});

test("a step in the host's transaction leaves its entry when the host commits", async () => {
  const { storage, pool } = await openPostgresOn({});
  const shop = await createShop(storage);
  const { checkout } = shop.storefront.as("ana");
  const complete = async (end: "commit" | "rollback") => {
    const { body } = await shop.session();
    const client = await pool.connect();
    await client.query("begin");
    const payment = { reference: end, status: "paid", amount: 1000, currency: "BRL" } as const;
    const where = { store_id: shop.a.id, livemode: false };
    await checkout.complete(body.data.id, { ...where, ...payment }, { client });
    expect(await entriesOf(shop)).toEqual([]);
    await client.query(end);
    client.release();
  };

  await complete("rollback");
  expect(await entriesOf(shop)).toEqual([]);
  await complete("commit");
  expect(await entriesOf(shop)).toMatchObject([{ actor: "ana", action: "checkout.complete" }]);
});

test("no step leaves anything when its entry cannot be stored", async () => {
  const { storage, pool, schema } = await openPostgresOn({});
  const shop = await createShop(storage);
  await pool.query(`alter table ${schema}.audit_log rename to audit_log_gone`);
  const { owner } = shop.storefront.as("ana");
  await thrownBy(owner.stores.update(shop.a.id, { name: "B" }));
  await pool.query(`alter table ${schema}.audit_log_gone rename to audit_log`);
  expect(await shop.owner.stores.retrieve(shop.a.id)).toMatchObject({ name: "Store A" });
});

test("an entry holds 16 KiB of values at most, and says which it left out", async () => {
  const shop = await createShop(memoryStorage());
  const { owner } = shop.storefront.as("ana");
  const description = "\u{1F4A1}".repeat(2_500);
  await owner.products.update(shop.a.id, shop.product.id, { description, price: 7 });
  shop.advance(1);
  await owner.products.update(shop.a.id, shop.product.id, { description: description.slice(2) });

  const [second, first] = await entriesOf(shop);
  expect(first).toMatchObject({ after: { price: 7, description }, cut: [] });
  expect(second).toMatchObject({ before: {}, after: {}, withheld: [], cut: ["description"] });
});

test.each(storages)("an address may be longer than an id, on %s", async (_name, open) => {
  const shop = await createShop(await open());
  const { owner } = shop.storefront.as("é".repeat(255));
  const long = `https://a.example.com/${"é".repeat(1_500)}`;
  const address = await owner.returnUrls.add(shop.a.id, long);
  expect(address).toHaveLength(9_022);
  await owner.returnUrls.remove(shop.a.id, long);
  await owner.eraseCustomer(shop.a.id, "é".repeat(255));

  const subject = { type: "store", id: shop.a.id } as const;
  const entries = await entriesOf(shop, { subject });
  const values = entries.map(({ action, before, after }) => ({ action, before, after }));
  expect(values).toHaveLength(2);
  for (const entry of [
    { action: "return_urls.add", before: null, after: { return_url: address } },
    { action: "return_urls.remove", before: { return_url: address }, after: null },
  ])
    expect(values).toContainEqual(entry);
});

test("an actor is a text of 1 to 255 characters", async () => {
  const shop = await createShop(memoryStorage());
  for (const actor of ["", " ", "a".repeat(256), "a\u0000"])
    expect(() => shop.storefront.as(actor)).toThrow("actor");
  expect(() => shop.storefront.as(undefined as unknown as string)).toThrow("actor is required");

  const actor = "a".repeat(255);
  await shop.storefront.as(actor).owner.stores.update(shop.a.id, { name: "B" });
  expect(await entriesOf(shop, { actor })).toHaveLength(1);
});

test("the list refuses what it does not know, and goes on where its page ended", async () => {
  const shop = await createShop(memoryStorage());
  for (const name of ["B", "C", "D"])
    await shop.storefront.as("ana").owner.stores.update(shop.a.id, { name });
  const list = (input: object) => shop.owner.audit.list({ store_id: shop.a.id, ...input });

  const page = await list({ limit: 2 });
  expect(page).toMatchObject({ has_more: true, data: [{ after: {} }, { after: {} }] });
  const rest = await list({ limit: 2, starting_after: page.next_cursor });
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  expect(new Set([...page.data, ...rest.data].map(({ id }) => id)).size).toBe(3);

  for (const [input, param] of [
    [{ action: "stores.explode" }, "action"],
    [{ subject: { type: "planet", id: "x" } }, "subject.type"],
    [{ subject: { type: "store", id: "a\u0000" } }, "subject.id"],
    [{ created_from: 2, created_to: 1 }, "created_to"],
    [{ starting_after: page.next_cursor, actor: "ana" }, "starting_after"],
    [{ store_id: "str_other" }, "store_id"],
  ] as const)
    expect(await thrownBy(list(input))).toMatchObject({ param });
});

test("audit is an object, and keepDays a whole number of days", async () => {
  for (const audit of [null, 90, "90"] as never[])
    await expect(createShop(memoryStorage(), { audit })).rejects.toThrow("Option audit");
  for (const keepDays of [0, 1.5, 36_501, Number.NaN])
    await expect(createShop(memoryStorage(), { audit: { keepDays } })).rejects.toThrow(
      "Option audit.keepDays must be a whole number of days from 1 to 36500",
    );
});
