import { fold } from "../../../domain/text/fold.ts";
import { type OwnSort, ownPlaceOf } from "../../../rules/catalog/own-sort.ts";
import type { StockLevel } from "../../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../../rules/records.ts";
import { submitSession } from "../../../steps/checkout-steps.ts";
import { putProducts } from "../../../steps/product-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord, partition } from "../fixtures/record-fixtures.ts";

export const ownProductCases: readonly StorageCase[] = [
  {
    name: "an owner finds products by text, state and category, drafts too",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product } = fixtures(context);

      await shop([]);
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      const products = [
        product("prod_1", { name: "Café Açaí", category_ids: ["cat_1"] }),
        product("prod_2", { name: "Café 100%", active: false }),
        product("prod_3", { name: "Chá", category_ids: ["cat_1"], active: false }),
      ];
      await putProducts(
        storage.records,
        "str_A",
        products.map((record) => ({ record, set_stock: true })),
      );
      const ids = async (filters: object) => {
        const query = { after: null, limit: 10, ...filters };
        const found = await storage.catalog.listProductRecords("str_A", query);
        return found.map(({ id }) => id);
      };

      assert.deepEqual(await ids({ search: fold("CAFÉ") }), ["prod_1", "prod_2"]);
      assert.deepEqual(await ids({ search: fold("CAFÉ"), after: "prod_1" }), ["prod_2"]);
      assert.deepEqual(await ids({ search: "caf", active: false }), ["prod_2"]);
      assert.deepEqual(await ids({ search: "0%" }), ["prod_2"]);
      assert.deepEqual(await ids({ search: "prod-3" }), ["prod_3"]);
      assert.deepEqual(await ids({ search: "nothing" }), []);
      assert.deepEqual(await ids({ active: true }), ["prod_1"]);
      assert.deepEqual(await ids({ active: false }), ["prod_2", "prod_3"]);
      assert.deepEqual(await ids({ category_id: "cat_1" }), ["prod_1", "prod_3"]);
      assert.deepEqual(await ids({ category_id: "cat_1", active: false }), ["prod_3"]);
      assert.deepEqual(await ids({ category_id: "cat_9" }), []);
      assert.deepEqual(await ids({ stock: { level: "sold_out", livemode: false } }), []);

      const other = { search: "caf", after: null, limit: 10 };
      assert.deepEqual(await storage.catalog.listProductRecords("str_B", other), []);
    },
  },
  {
    name: "an owner's products are sorted by position, price, time and name, drafts too",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product } = fixtures(context);
      await shop([
        product("prod_1", { name: "Árvore", price: 300, position: 1, created_at: 10 }),
        product("prod_2", { name: "zebra", price: 100, active: false, created_at: 30 }),
        product("prod_3", { name: "Bolo", price: 100, created_at: 20 }),
        product("prod_4", { name: "bolo", price: 200, created_at: 20, stock: 0 }),
        product("prod_5", { name: "\u{1F370} bolo", price: 900, position: -1, created_at: 40 }),
      ]);
      const orders: Readonly<Record<OwnSort, string>> = {
        position: "52341",
        price: "23415",
        "-price": "51432",
        newest: "52431",
        oldest: "13425",
        name: "13425",
        "-name": "52431",
      };
      for (const [name, expected] of Object.entries(orders)) {
        const by = name as OwnSort;
        const page = async (filters: object, after: ProductRecord | null = null) => {
          const last = after && { place: ownPlaceOf(after, by), id: after.id };
          const query = { sorted: { by, after: last }, after: null, limit: 10, ...filters };
          return storage.catalog.listProductRecords("str_A", query);
        };
        const ids = (found: readonly ProductRecord[]) =>
          found.map(({ id }) => id.slice(-1)).join("");
        const all = await page({});
        assert.equal(`${by} ${ids(all)}`, `${by} ${expected}`);
        for (const [index, record] of all.entries())
          assert.equal(ids(await page({ limit: 2 }, record)), expected.slice(index + 1, index + 3));
        assert.equal(ids(await page({ active: true })), expected.replace("2", ""));
        assert.equal(ids(await page({ search: "bolo" })), expected.replace(/[12]/g, ""));
        const stock = { level: "uncounted", livemode: false };
        const counted = ids(await page({ stock }, all[0] ?? null));
        assert.equal(counted, expected.slice(1).replace("4", ""));
      }
    },
  },
  {
    name: "an owner finds products by their price, both ends included",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product } = fixtures(context);

      await shop([900, 1_000, 10_000].map((price) => product(`prod_${price}`, { price })));
      const prices = async (price: { readonly min?: number; readonly max?: number }) => {
        const query = { after: null, limit: 9, price };
        const found = await storage.catalog.listProductRecords("str_A", query);
        return found.map((record) => record.price).sort((one, other) => one - other);
      };
      assert.deepEqual(await prices({ min: 1_000 }), [1_000, 10_000]);
      assert.deepEqual(await prices({ max: 1_000 }), [900, 1_000]);
      assert.deepEqual(await prices({ min: 901, max: 9_999 }), [1_000]);
    },
  },
  {
    name: "an owner finds products by what is left of their stock in a mode",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, session, openSession, submission } = fixtures(context);

      const many = Array.from({ length: 450 }, (_, index) => product(`prod_2${1_000 + index}`));
      await shop([
        product("prod_1", { stock: 1 }),
        ...many,
        product("prod_3", { stock: 0 }),
        product("prod_4", { stock: 2 }),
        product("prod_5", { stock: 0, active: false }),
      ]);
      const ids = async (level: StockLevel, filters: object = {}) => {
        const stock = { level, livemode: partition.livemode };
        const query = { after: null, limit: 2, stock, ...filters };
        const found = await storage.catalog.listProductRecords("str_A", query);
        return found.map(({ id }) => id);
      };

      assert.deepEqual(await ids("in_stock"), ["prod_1", "prod_4"]);
      assert.deepEqual(await ids("sold_out"), ["prod_3", "prod_5"]);
      assert.deepEqual(await ids("sold_out", { active: true }), ["prod_3"]);
      assert.deepEqual(await ids("sold_out", { after: "prod_3" }), ["prod_5"]);
      assert.deepEqual(await ids("uncounted"), ["prod_21000", "prod_21001"]);
      assert.deepEqual(await ids("uncounted", { after: "prod_21449" }), []);

      const lines = session().lines.map((line) => ({ ...line, product_id: "prod_1" }));
      await submitSession(storage.orders, submission(await openSession({ lines })));
      assert.deepEqual(await ids("in_stock"), ["prod_4"]);
      assert.deepEqual(await ids("sold_out"), ["prod_1", "prod_3"]);
      const live = { stock: { level: "in_stock", livemode: !partition.livemode } };
      assert.deepEqual(await ids("in_stock", live), ["prod_1", "prod_4"]);
    },
  },
];
