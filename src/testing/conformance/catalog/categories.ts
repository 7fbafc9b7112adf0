import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord, putRecord } from "../../../steps/record-steps.ts";
import { createStore } from "../../../steps/store-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord } from "../fixtures/record-fixtures.ts";

/** Checks categories, and the products in them. */
export const categoryCases: readonly StorageCase[] = [
  {
    name: "products follow their category when it is deleted, disabled or moved",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition, store } = fixtures(context);

      await createStore(storage.records, store());
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      await shop([product("prod_1", { category_ids: ["cat_1"] })]);
      const count = async () => {
        const listed = await storage.catalog.listProducts({
          ...partition,
          category_slug: "c",
          limit: 10,
        });
        return listed.outcome === "listed" ? listed.rows.length : -1;
      };
      assert.equal(await count(), 1);

      await putRecord(storage.records, "category", categoryRecord("cat_1", { enabled: false }));
      assert.equal(await count(), 0);
      assert.equal(
        await deleteRecord(storage.records, "category", { store_id: "str_A", id: "cat_1" }),
        true,
      );
      assert.deepEqual(
        (await storage.catalog.findProductRecords("str_A", ["prod_1"]))[0]?.category_ids,
        [],
      );
    },
  },
  {
    name: "a filter of category takes slug, id or both; a contradiction is a conflict",
    async run(context) {
      const { storage, assert } = context;
      const { product, store, partition } = fixtures(context);

      await createStore(storage.records, store());
      for (const [index, slug] of ["a", "b"].entries())
        await putRecord(storage.records, "category", categoryRecord(`cat_${index}`, { slug }));
      const put = (position: number) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { category_ids: ["cat_0"], position }), set_stock: true },
          {
            record: product("prod_2", { category_ids: ["cat_0", "cat_1"], position: 5 }),
            set_stock: true,
          },
        ]);
      const list = async (names: { category_slug?: string; category_id?: string }) => {
        const listed = await storage.catalog.listProducts({ ...partition, ...names, limit: 10 });
        return listed.outcome === "listed"
          ? listed.rows.map(({ id }) => id).join()
          : listed.outcome;
      };
      await put(1);
      assert.equal(await list({ category_slug: "a" }), "prod_1,prod_2");
      assert.equal(await list({ category_id: "cat_1" }), "prod_2");
      assert.equal(await list({ category_slug: "a", category_id: "cat_0" }), "prod_1,prod_2");
      assert.equal(await list({ category_slug: "a", category_id: "cat_1" }), "category_conflict");
      assert.equal(await list({ category_slug: "none" }), "");
      assert.equal(await list({ category_slug: "none", category_id: "cat_none" }), "");

      await put(9);
      assert.equal(await list({ category_slug: "a" }), "prod_2,prod_1");

      const unknown = await putProducts(storage.records, "str_A", [
        { record: product("prod_3", { category_ids: ["cat_2"] }), set_stock: true },
      ]);
      assert.deepEqual(unknown, { outcome: "unknown_category", index: 0 });
    },
  },
  {
    name: "a category that is deleted during puts stays in no product",
    async run(context) {
      const { storage, assert } = context;
      const { product, store } = fixtures(context);

      await createStore(storage.records, store());
      await putRecord(storage.records, "category", categoryRecord("cat_0"));
      await putRecord(
        storage.records,
        "category",
        categoryRecord("cat_1", { slug: "child", parent_id: "cat_0" }),
      );
      const puts = times(20, (index) =>
        putProducts(storage.records, "str_A", [
          {
            record: product(`prod_${index}`, { category_ids: ["cat_0"], stock: 1 }),
            set_stock: true,
          },
        ]),
      );
      assert.equal(
        await deleteRecord(storage.records, "category", { store_id: "str_A", id: "cat_0" }),
        true,
      );

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
];
