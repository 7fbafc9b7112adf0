import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord, putRecord } from "../../../steps/record-steps.ts";
import { createStore } from "../../../steps/store-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord } from "../fixtures/record-fixtures.ts";

/** Checks what the owner writes about products, with many writers at once. */
export const productCases: readonly StorageCase[] = [
  {
    name: "each of twenty concurrent puts raises the catalog version by one",
    async run(context) {
      const { storage, assert } = context;
      const { store, product } = fixtures(context);

      await createStore(storage.records, store());
      await times(20, (index) =>
        putProducts(storage.records, "str_A", [
          { record: product(`prod_${index}`), set_stock: true },
        ]),
      );
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 21);
      assert.equal((await putProducts(storage.records, "str_B", [])).outcome, "unknown_store");
    },
  },
  {
    name: "of twenty concurrent puts of one slug one is stored, and the others write nothing",
    async run(context) {
      const { storage, assert } = context;
      const { store, product } = fixtures(context);

      await createStore(storage.records, store());
      const results = await times(20, (index) =>
        putProducts(storage.records, "str_A", [
          { record: product(`prod_${index}`, { slug: "same" }), set_stock: true },
          { record: product(`prod_other${index}`), set_stock: true },
        ]),
      );
      assert.equal(results.filter(({ outcome }) => outcome === "stored").length, 1);
      assert.equal(
        (await storage.catalog.listProductRecords("str_A", { after: null, limit: 100 })).length,
        2,
      );
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 2);
    },
  },
  {
    name: "products can exchange their slugs within one put",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);

      await shop([product("prod_1", { slug: "x" }), product("prod_2", { slug: "y" })]);
      const swapped = [product("prod_1", { slug: "y" }), product("prod_2", { slug: "x" })].map(
        (record) => ({ record, set_stock: false }),
      );
      assert.equal((await putProducts(storage.records, "str_A", swapped)).outcome, "stored");
      assert.ok((await storage.catalog.findProduct(partition, "x"))?.document.includes('"prod_2"'));
    },
  },
  {
    name: "one put stores a thousand products, and the last of two equal ids counts",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);

      const count = 1_000;
      await shop(
        Array.from({ length: count }, (_, index) =>
          product(`prod_${index}`, { slug: `s${index}`, stock: index }),
        ),
      );
      const passed = Array.from({ length: count }, (_, index) =>
        product(`prod_${index}`, { slug: `s${(index + 1) % count}` }),
      );
      const entries = [product("prod_7", { slug: "s8", name: "first" }), ...passed].map(
        (record) => ({ record, set_stock: false }),
      );
      assert.equal((await putProducts(storage.records, "str_A", entries)).outcome, "stored");

      const stored = await storage.catalog.listProductRecords("str_A", {
        after: null,
        limit: 2_000,
      });
      assert.equal(stored.length, count);

      // The last of these ids does not exist.
      const wanted = Array.from({ length: count + 1 }, (_, index) => `prod_${index}`);
      const named = await storage.catalog.findProductRecords("str_A", wanted);
      assert.deepEqual(new Set(named.map(({ id }) => id)), new Set(wanted.slice(0, count)));
      assert.deepEqual(await storage.catalog.findProductRecords("str_B", wanted), []);
      const slugs = named.map(({ slug }) => slug);
      const bySlug = await storage.catalog.findProductRecords("str_A", slugs, "slug");
      assert.deepEqual(new Set(bySlug.map(({ id }) => id)), new Set(wanted.slice(0, count)));
      assert.deepEqual(await storage.catalog.findProductRecords("str_B", slugs, "slug"), []);

      const document = JSON.parse(
        (await storage.catalog.findProduct(partition, "s8"))?.document ?? "null",
      );
      assert.deepEqual([document.id, document.name], ["prod_7", "prod_7"]);

      const cart = await storage.checkout.loadCart(partition, ["prod_0", "prod_999"], null);
      assert.deepEqual(new Set(cart.products.map(({ on_hand }) => on_hand)), new Set([0, 999]));

      const taken = [product("prod_new"), product("prod_other", { slug: "s500" })].map(
        (record) => ({ record, set_stock: true }),
      );
      assert.deepEqual(await putProducts(storage.records, "str_A", taken), {
        outcome: "slug_taken",
        index: 1,
      });
      assert.deepEqual(await storage.catalog.findProductRecords("str_A", ["prod_new"]), []);
    },
  },
  {
    name: "deleting what does not exist changes no catalog version",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);

      await shop();
      const { records } = storage;
      assert.equal(
        await deleteRecord(records, "product", { store_id: "str_A", id: "prod_none" }),
        false,
      );
      assert.equal(
        await deleteRecord(records, "category", { store_id: "str_A", id: "cat_none" }),
        false,
      );
      assert.equal(
        await deleteRecord(records, "payment_method", { store_id: "str_A", id: "pm_none" }),
        false,
      );
      assert.equal(
        await deleteRecord(records, "coupon", { store_id: "str_A", id: "cpn_none" }),
        false,
      );
      assert.equal(
        await deleteRecord(records, "product", { store_id: "str_B", id: "prod_1" }),
        false,
      );
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 2);
      assert.equal(
        await deleteRecord(records, "product", { store_id: "str_A", id: "prod_1" }),
        true,
      );
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 3);
    },
  },
  {
    name: "a put over a changed record is stale: of ten concurrent ones one is stored",
    async run(context) {
      const { storage, assert } = context;
      const { product, coupon, shop } = fixtures(context);

      await shop();
      const { catalog, records } = storage;
      const [stored] = await catalog.findProductRecords("str_A", ["prod_1"]);
      if (!stored) throw new Error("The product of the shop is missing.");
      const over = (before: typeof stored, name: string) =>
        putProducts(records, "str_A", [{ record: { ...before, name }, set_stock: false, before }]);
      const raced = await times(10, (index) => over(stored, `Name ${index}`));
      assert.equal(raced.filter(({ outcome }) => outcome === "stored").length, 1);
      assert.equal(raced.filter(({ outcome }) => outcome === "stale").length, 9);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 3);

      const gone = product("prod_9");
      assert.equal((await over(gone, "Back")).outcome, "stale");
      assert.deepEqual(await catalog.findProductRecords("str_A", ["prod_9"]), []);

      const [first, second] = [
        categoryRecord("cat_1"),
        categoryRecord("cat_1", { name: "Second" }),
      ];
      assert.equal((await putRecord(records, "category", first, first)).outcome, "stale");

      await putRecord(records, "category", first);
      assert.equal((await putRecord(records, "category", second, second)).outcome, "stale");
      assert.equal((await putRecord(records, "category", second, first)).outcome, "stored");

      const code = coupon("CODE");
      assert.equal((await putRecord(records, "coupon", code, code)).outcome, "stale");

      await putRecord(records, "coupon", code);
      assert.equal(
        (await putRecord(records, "coupon", { ...code, enabled: false }, code)).outcome,
        "stored",
      );
      assert.equal(
        (await putRecord(records, "coupon", { ...code, max_uses: 7 }, code)).outcome,
        "stale",
      );
    },
  },
];
