import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { type ExportKind, exportReply, type OwnerExport } from "vitrine/owner";
import { sqliteStorage } from "vitrine/sqlite";
import type { Owner } from "../../src/owner/owner.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** What is held on the heap and in buffers, without garbage. */
function heapUsed(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

type Row = Readonly<Record<string, unknown>>;

const kinds = [
  "orders",
  "order_items",
  "payments",
  "refunds",
  "disputes",
  "customers",
  "products",
  "coupons",
  "subscriptions",
  "events",
] as const satisfies readonly ExportKind[];

const rowsOf = async ({ body }: OwnerExport): Promise<readonly Row[]> =>
  ((await textOf(body)) ?? "")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const cellsOf = async ({ body }: OwnerExport): Promise<readonly Record<string, string>[]> =>
  parse((await textOf(body)) ?? "", { columns: true, record_delimiter: "\r\n" });

const newShop = async (open: () => Promise<ReturnType<typeof memoryStorage>>) => {
  const shop = await createShop(await open());
  return { shop, where: { store_id: shop.a.id, livemode: false } };
};

/** Sells one piece, refunds a part of it, and disputes it. */
async function sell(shop: Shop, index: number): Promise<void> {
  // Ten sessions a minute are let in from one address.
  shop.advance(10_000);
  const order = await shop.buy({ coupon_code: "SAVE10", metadata: { note: "=1+1" } });
  const told = { store_id: shop.a.id, livemode: false, reference: `r_${index}` };
  await shop.storefront.orders.refund(order.id, { ...told, amount: 100, reason: "-1" });
  await shop.storefront.orders.openDispute(order.id, told);
}

describe.each(storages)("an export on %s", (_name, open) => {
  let shop: Shop;
  let owner: Owner;
  let where: { store_id: string; livemode: boolean };
  beforeEach(async () => {
    ({ shop, where } = await newShop(open));
    owner = shop.owner;
    for (const index of [1, 2]) await sell(shop, index);
    const method = await owner.paymentMethods.create(where.store_id, {
      type: "card",
      name: "Card by the month",
      currencies: ["BRL"],
      gateway: "sandbox",
      supports_recurring: true,
    });
    const plan = await owner.products.create(where.store_id, {
      name: "@Plan",
      description: 'Two\r\nlines, and a "quote"',
      price: 500,
      currency: "BRL",
      recurring: { interval: "month", interval_count: 1 },
    });
    const items = [{ product_id: plan.id, quantity: 1 }];
    await shop.buy({ items }, {}, { payment_method_id: method.id });
  });

  test("has the rows of the list, in its order, as JSON lines and as CSV", async () => {
    await hasRowsOfLists();
    await hasOrders();
    await hasCells();
  });

  async function hasRowsOfLists(): Promise<void> {
    const listed: Readonly<Partial<Record<ExportKind, readonly object[]>>> = {
      orders: (await owner.orders.list(where)).data,
      payments: (await owner.payments.list(where)).data,
      disputes: (await owner.disputes.list(where)).data,
      customers: (await owner.customers.list(where)).data,
      products: (await owner.products.list(where.store_id)).data,
      coupons: (await owner.coupons.list(where.store_id)).data,
      subscriptions: (await owner.subscriptions.list(where)).data,
      events: (await owner.events.list({ ...where, limit: 100 })).data,
    };
    for (const [kind, rows] of Object.entries(listed)) {
      const made = await owner.export(kind as ExportKind, { ...where, format: "jsonl" });
      expect(rows.length, kind).toBeGreaterThan(0);
      expect(await rowsOf(made), kind).toEqual(JSON.parse(JSON.stringify(rows)));
      expect(made.contentType).toBe("application/x-ndjson; charset=utf-8");
    }
  }

  /** Items and refunds tell the order and the currency. */
  async function hasOrders(): Promise<void> {
    const [order] = (await owner.orders.list({ ...where, product: shop.product.id })).data;
    const ofOrder = { order_id: order?.id, order_number: order?.number, currency: "BRL" };
    const items = await owner.export("order_items", { ...where, format: "jsonl" });
    expect((await rowsOf(items)).filter(({ order_id }) => order_id === order?.id)).toEqual([
      expect.objectContaining({ ...ofOrder, order_status: "chargeback", ...order?.items[0] }),
    ]);
    const refunds = await owner.export("refunds", { ...where, format: "jsonl" });
    const [refund] = (await owner.refunds.list(where)).data;
    expect((await rowsOf(refunds))[0]).toEqual({ ...refund, ...ofOrder });
  }

  /** A CSV has a column for every field, bare numbers and guarded text. */
  async function hasCells(): Promise<void> {
    for (const kind of kinds) {
      if (kind === "events") continue;
      const rows = await cellsOf(await owner.export(kind, { ...where, format: "csv" }));
      expect(rows.length, kind).toBeGreaterThan(0);
      for (const [name, cell] of rows.flatMap((row) => Object.entries(row)))
        expect(cell, `${kind} ${name}`).not.toMatch(/^\s*[=+@]/);
    }
    const [order] = await cellsOf(await owner.export("orders", { ...where, format: "csv" }));
    expect(order).toMatchObject({
      number: "3",
      currency: "BRL",
      amount_total: "500",
      "customer.tax_id": "",
      "payment_method.type": "card",
      livemode: "false",
      paid_at: new Date(shop.now()).toISOString(),
    });
    expect(JSON.parse(order?.["items"] ?? "")).toHaveLength(1);

    const products = await cellsOf(await owner.export("products", { ...where, format: "csv" }));
    expect(products.find(({ price }) => price === "500")).toMatchObject({
      name: "'@Plan",
      description: 'Two\r\nlines, and a "quote"',
      stock: "",
      "recurring.interval": "month",
      "promotion.discount_type": "",
    });
    const [refund] = await cellsOf(await owner.export("refunds", { ...where, format: "csv" }));
    expect(refund).toMatchObject({ amount: "100", currency: "BRL", reason: "'-1" });
  }

  test("takes filters, refuses what is wrong, and reads on as it is taken", async () => {
    await takesFilters();
    await readsOn();
  });

  async function takesFilters(): Promise<void> {
    const paid = await owner.export("orders", { ...where, format: "jsonl", status: "paid" });
    expect(await rowsOf(paid)).toHaveLength(1);
    const live = await owner.export("orders", { ...where, livemode: true, format: "csv" });
    expect(await cellsOf(live)).toEqual([]);

    const wrong = [
      ["orders", { format: "xlsx" }, "parameter_invalid", "format"],
      ["orders", { store_id: "str_none" }, "resource_not_found", "store_id"],
      ["orders", { livemode: undefined }, "parameter_missing", "livemode"],
      ["orders", { staus: "paid" }, "parameter_invalid", "staus"],
      ["orders", { limit: 5 }, "parameter_invalid", "limit"],
      ["orders", { starting_after: "x" }, "parameter_invalid", "starting_after"],
      ["subscriptions", { renews_before: 1 }, "parameter_invalid", "renews_before"],
      ["products", { activ: true }, "parameter_invalid", "activ"],
      ["coupons", { livemode: "yes" }, "parameter_invalid", "livemode"],
      ["events", { format: "csv" }, "parameter_invalid", "format"],
      ["orders", { format: "jsonl", bom: true }, "parameter_invalid", "bom"],
      ["toString", {}, "parameter_invalid", "kind"],
    ] as const;
    for (const [kind, fields, code, param] of wrong) {
      const query = { ...where, format: "csv", ...fields } as never;
      const fault = { code, details: { param } };
      expect(await thrownBy(owner.export(kind as ExportKind, query)), param).toMatchObject(fault);
    }
  }

  /** What is added meanwhile is in the export or not, and never twice. */
  async function readsOn(): Promise<void> {
    const product = (id: string) =>
      ({ id, name: id, price: 1, currency: "BRL", description: "x".repeat(1_000) }) as const;
    const ids = Array.from({ length: 250 }, (_, at) => `prod_0${String(at).padStart(3, "0")}5`);
    await owner.products.putMany(where.store_id, ids.map(product));

    const made = await owner.export("products", { ...where, format: "jsonl", search: "prod_0" });
    shop.calls.length = 0;
    const parts = made.body[Symbol.asyncIterator]();
    const decoder = new TextDecoder();
    let text = decoder.decode((await parts.next()).value);
    expect(shop.calls).toEqual([]);

    const added = ["prod_00000", "prod_02481"];
    await owner.products.putMany(where.store_id, added.map(product));
    for (let part = await parts.next(); !part.done; part = await parts.next())
      text += decoder.decode(part.value, { stream: true });
    const seen = text
      .split("\n")
      .slice(0, -1)
      .map((line): string => JSON.parse(line).id);
    expect(seen).toEqual([...ids.slice(0, 248), "prod_02481", ...ids.slice(248)]);
  }
});

/** `EXPORT_ROWS=1000000` makes the export whose figures docs/exports.md tells. */
const manyRows = Number(process.env["EXPORT_ROWS"] ?? 3_000);

describe("an export", () => {
  test(`of ${manyRows} rows takes at most 16 MiB`, { timeout: 3_600_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-export-"));
    const storage = sqliteStorage(join(directory, "shop.db"));
    await storage.migrate();
    const { shop, where } = await newShop(async () => storage);
    for (let at = 0; at < manyRows; at += 1_000)
      await shop.owner.products.putMany(
        where.store_id,
        Array.from({ length: 1_000 }, (_, index) => ({
          id: `prod_${String(at + index).padStart(8, "0")}`,
          name: `Product ${at + index}`,
          price: 1_990,
          currency: "BRL",
        })),
      );

    const began = performance.now();
    const made = await shop.owner.export("products", { ...where, format: "csv" });
    const start = heapUsed();
    let bytes = 0;
    let most = 0;
    let parts = 0;
    for await (const part of made.body) {
      bytes += part.length;
      parts += 1;
      if (parts % Math.ceil(manyRows / 1_500) === 0) most = Math.max(most, heapUsed() - start);
    }
    const seconds = (performance.now() - began) / 1_000;
    if (manyRows > 10_000) console.log({ manyRows, bytes, most, seconds });

    expect(bytes).toBeGreaterThan(manyRows * 100);
    expect(most).toBeLessThan(16 * 1_048_576);
    await storage.close();
    await rm(directory, { recursive: true });
  });

  test("of more rows than a page has each of them once, for every kind", async () => {
    const { shop, where } = await newShop(async () => memoryStorage());
    for (let index = 0; index < 101; index += 1) await sell(shop, index);

    for (const [kind, count] of [
      ["orders", 101],
      ["order_items", 101],
      ["payments", 101],
      ["refunds", 101],
      ["disputes", 101],
      ["customers", 101],
      ["events", 505],
    ] as const) {
      const rows = await rowsOf(await shop.owner.export(kind, { ...where, format: "jsonl" }));
      const names = rows.map(({ id, reference }) => String(id ?? reference));
      expect([kind, new Set(names).size, names.length]).toEqual([kind, count, count]);
    }
  });

  test("is answered as a file, whose name tells store, kind, mode and day", async () => {
    const { shop, where } = await newShop(async () => memoryStorage());
    const made = await shop.owner.export("orders", { ...where, format: "csv", bom: true });
    const { status, headers, body } = exportReply(made, () => {});
    expect([status, headers]).toEqual([
      200,
      {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": 'attachment; filename="store-a-orders-test-2026-01-15.csv"',
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      },
    ]);
    // A body can be read more than once.
    for (const _ of [1, 2]) expect(await textOf(body)).toMatch(/^\uFEFFid,number,.*,channel\r\n$/);

    const products = await shop.owner.export("products", { ...where, format: "jsonl" });
    expect(products.filename).toBe("store-a-products-2026-01-15.jsonl");
  });

  test("that fails in the middle tells onError, and its reader", async () => {
    const storage = memoryStorage();
    const { shop, where } = await newShop(async () => storage);
    const inputs = Array.from({ length: 150 }, (_, at) => ({
      id: `prod_${at}`,
      name: "Name",
      price: 1,
      currency: "BRL",
    }));
    await shop.owner.products.putMany(where.store_id, inputs);
    const made = await shop.owner.export("products", { ...where, format: "csv" });
    const fault = new Error("The storage is down.");
    storage.catalog.listProductRecords = () => Promise.reject(fault);

    const told: unknown[] = [];
    const { body } = exportReply(made, (error) => told.push(error));
    expect(await thrownBy(textOf(body))).toBe(fault);
    expect(told).toEqual([fault]);
  });
});
