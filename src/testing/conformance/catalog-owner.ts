import type { CategoryRecord } from "../../rules/records.ts";
import { fixtures, type StorageCase, times } from "./case.ts";

export const category = (id: string, changes: Partial<CategoryRecord> = {}): CategoryRecord => ({
  id,
  store_id: "str_A",
  slug: "c",
  name: "C",
  description: null,
  image_url: null,
  parent_id: null,
  position: 0,
  enabled: true,
  created_at: 1,
  updated_at: 1,
  ...changes,
});

/** What the owner writes, against sales and other writes at the same time. */
export const catalogOwnerCases: readonly StorageCase[] = [
  {
    name: "puts and sales of the last pieces at once: each document says both",
    async run(context) {
      const { storage, assert } = context;
      const { product, session, shop, openSession, submission, partition } = fixtures(context);
      const ids = Array.from({ length: 8 }, (_, index) => `prod_${index}`);
      await shop();
      for (let round = 1; round <= 6; round++) {
        const price = 1000 + round;
        const put = (id: string, changes: { price: number }, set_stock: boolean) =>
          storage.catalog.putProducts("str_A", [
            { record: product(id, { stock: round, ...changes }), set_stock },
          ]);
        for (const id of ids) await put(id, { price: 1 }, true);
        const sessions = await Promise.all(
          ids.map((product_id) =>
            openSession({ lines: session().lines.map((line) => ({ ...line, product_id })) }),
          ),
        );
        const jobs = sessions.flatMap((open, index) => [
          storage.orders.submitSession(submission(open)),
          put(ids[index] ?? "", { price }, false),
        ]);
        assert.deepEqual(
          new Set((await Promise.all(jobs)).map(({ outcome }) => outcome)),
          new Set(["submitted", "stored"]),
        );
        for (const livemode of [false, true]) {
          for (const id of ids) {
            const found = await storage.catalog.findProduct({ ...partition, livemode }, id);
            const document = JSON.parse(found?.document ?? "null");
            assert.deepEqual(
              [document.price, document.available],
              [price, livemode],
              `${id} in round ${round}, livemode ${livemode}`,
            );
          }
        }
      }
    },
  },
  {
    name: "stock is counted per mode; null stops the counting, without `set_stock` it goes on",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, openSession, submission, partition } = fixtures(context);
      await shop([product("prod_1", { stock: 2 })]);
      await storage.orders.submitSession(submission(await openSession()));
      const onHand = async () => {
        const carts = [false, true].map((livemode) =>
          storage.checkout.loadCart({ ...partition, livemode }, ["prod_1"], null),
        );
        return (await Promise.all(carts)).map((cart) => cart.products[0]?.on_hand);
      };
      const put = (stock: number | null, set_stock: boolean) =>
        storage.catalog.putProducts("str_A", [{ record: product("prod_1", { stock }), set_stock }]);
      assert.deepEqual(await onHand(), [1, 2]);
      await put(9, false);
      assert.deepEqual(await onHand(), [1, 2]);
      await put(5, true);
      assert.deepEqual(await onHand(), [4, 5]);
      await put(1, true);
      const documents = [false, true].map((livemode) =>
        storage.catalog.findProduct({ ...partition, livemode }, "prod-1"),
      );
      assert.deepEqual(
        (await Promise.all(documents)).map(
          (found) => JSON.parse(found?.document ?? "null").available,
        ),
        [false, true],
      );
      await put(null, true);
      assert.deepEqual(await onHand(), [null, null]);
    },
  },
  {
    name: "a thousand products in one put, their slugs passed on in the next; the same product twice: the last stands",
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
      assert.equal((await storage.catalog.putProducts("str_A", entries)).outcome, "stored");
      const stored = await storage.catalog.listProductRecords("str_A", {
        after: null,
        limit: 2_000,
      });
      assert.equal(stored.length, count);
      const wanted = Array.from({ length: count + 1 }, (_, index) => `prod_${index}`); // the last one is not there
      const named = await storage.catalog.findProductRecords("str_A", wanted);
      assert.deepEqual(new Set(named.map(({ id }) => id)), new Set(wanted.slice(0, count)));
      assert.deepEqual(await storage.catalog.findProductRecords("str_B", wanted), []);
      const document = JSON.parse(
        (await storage.catalog.findProduct(partition, "s8"))?.document ?? "null",
      );
      assert.deepEqual([document.id, document.name], ["prod_7", "prod_7"]);
      const cart = await storage.checkout.loadCart(partition, ["prod_0", "prod_999"], null);
      assert.deepEqual(new Set(cart.products.map(({ on_hand }) => on_hand)), new Set([0, 999]));
      const taken = [product("prod_new"), product("prod_other", { slug: "s500" })].map(
        (record) => ({ record, set_stock: true }),
      );
      assert.deepEqual(await storage.catalog.putProducts("str_A", taken), {
        outcome: "slug_taken",
        index: 1,
      });
      assert.equal(await storage.catalog.findProductRecord("str_A", "prod_new"), null);
    },
  },
  {
    name: "a category deleted while products are put into it stays in none of them",
    async run(context) {
      const { storage, assert } = context;
      const { product, store } = fixtures(context);
      await storage.access.createStore(store());
      await storage.catalog.putCategory(category("cat_0"));
      await storage.catalog.putCategory(category("cat_1", { slug: "child", parent_id: "cat_0" }));
      const puts = times(20, (index) =>
        storage.catalog.putProducts("str_A", [
          {
            record: product(`prod_${index}`, { category_ids: ["cat_0"], stock: 1 }),
            set_stock: true,
          },
        ]),
      );
      assert.equal(await storage.catalog.deleteCategory("str_A", "cat_0"), true);
      const late = (await puts).filter(({ outcome }) => outcome === "unknown_category").length;
      const stored = await storage.catalog.listProductRecords("str_A", { after: null, limit: 100 });
      assert.equal(stored.length + late, 20);
      assert.deepEqual(
        stored.flatMap(({ category_ids }) => category_ids),
        [],
      );
      assert.deepEqual(
        (await storage.catalog.listCategoryRecords("str_A")).map(({ id, parent_id }) => [
          id,
          parent_id,
        ]),
        [["cat_1", null]],
      );
    },
  },
  {
    name: "what is not there is not deleted and moves no catalog version",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      await shop();
      const { catalog } = storage;
      assert.equal(await catalog.deleteProduct("str_A", "prod_none"), false);
      assert.equal(await catalog.deleteCategory("str_A", "cat_none"), false);
      assert.equal(await catalog.deletePaymentMethod("str_A", "pm_none"), false);
      assert.equal(await catalog.deleteCoupon("str_A", "cpn_none"), false);
      assert.equal(await catalog.deleteProduct("str_B", "prod_1"), false);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 2);
      assert.equal(await catalog.deleteProduct("str_A", "prod_1"), true);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 3);
    },
  },
  {
    name: "a put over a record that is no longer there is stale and writes nothing; of ten over one record one is stored",
    async run(context) {
      const { storage, assert } = context;
      const { product, coupon, shop } = fixtures(context);
      await shop();
      const { catalog } = storage;
      const stored = await catalog.findProductRecord("str_A", "prod_1");
      if (!stored) throw new Error("The product of the shop is missing.");
      const over = (before: typeof stored, name: string) =>
        catalog.putProducts("str_A", [{ record: { ...before, name }, set_stock: false, before }]);
      const raced = await times(10, (index) => over(stored, `Name ${index}`));
      assert.equal(raced.filter(({ outcome }) => outcome === "stored").length, 1);
      assert.equal(raced.filter(({ outcome }) => outcome === "stale").length, 9);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 3);
      const gone = product("prod_9");
      assert.equal((await over(gone, "Back")).outcome, "stale");
      assert.equal(await catalog.findProductRecord("str_A", "prod_9"), null);

      const [first, second] = [category("cat_1"), category("cat_1", { name: "Second" })];
      assert.equal((await catalog.putCategory(first, first)).outcome, "stale");
      await catalog.putCategory(first);
      assert.equal((await catalog.putCategory(second, second)).outcome, "stale");
      assert.equal((await catalog.putCategory(second, first)).outcome, "stored");
      const code = coupon("CODE");
      assert.equal((await catalog.putCoupon(code, code)).outcome, "stale");
      await catalog.putCoupon(code);
      assert.equal((await catalog.putCoupon({ ...code, enabled: false }, code)).outcome, "stored");
      assert.equal((await catalog.putCoupon({ ...code, max_uses: 7 }, code)).outcome, "stale");
    },
  },
  {
    name: "a coupon code belongs to one coupon, of twenty puts at once too",
    async run(context) {
      const { storage, assert } = context;
      const { coupon, store, partition } = fixtures(context);
      await storage.access.createStore(store());
      const results = await times(20, (index) =>
        storage.catalog.putCoupon(coupon(`cpn_${index}`, { code: "SAME" })),
      );
      assert.equal(results.filter(({ outcome }) => outcome === "stored").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "code_taken").length, 19);
      assert.equal((await storage.checkout.loadCart(partition, [], "SAME")).coupon?.used, 0);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 1);
    },
  },
];
