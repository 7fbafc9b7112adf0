import { fixtures, type StorageCase, times } from "./case.ts";
import { catalogOwnerCases, category } from "./catalog-owner.ts";

export const catalogCases: readonly StorageCase[] = [
  {
    name: "every put moves the catalog version by exactly one, twenty at once too",
    async run(context) {
      const { storage, assert } = context;
      const { store, product } = fixtures(context);
      await storage.access.createStore(store());
      await times(20, (index) =>
        storage.catalog.putProducts("str_A", [
          { record: product(`prod_${index}`), set_stock: true },
        ]),
      );
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 21);
      assert.equal((await storage.catalog.putProducts("str_B", [])).outcome, "unknown_store");
    },
  },
  {
    name: "a slug belongs to one product: of twenty puts at once one wins, and a refused put writes nothing",
    async run(context) {
      const { storage, assert } = context;
      const { store, product } = fixtures(context);
      await storage.access.createStore(store());
      const results = await times(20, (index) =>
        storage.catalog.putProducts("str_A", [
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
    name: "slugs may change hands within one put",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      await shop([product("prod_1", { slug: "x" }), product("prod_2", { slug: "y" })]);
      const swapped = [product("prod_1", { slug: "y" }), product("prod_2", { slug: "x" })].map(
        (record) => ({ record, set_stock: false }),
      );
      assert.equal((await storage.catalog.putProducts("str_A", swapped)).outcome, "stored");
      assert.ok((await storage.catalog.findProduct(partition, "x"))?.document.includes('"prod_2"'));
    },
  },
  {
    name: "text comes back as it went in: quotes, emoji, line breaks, scripts of the world",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      const name = 'Ação "★" \\ \n 日本 🧉 \u2028 \' %_';
      await shop([
        product("prod_1", { name, price: 9_007_199_254_740_991, description: "x".repeat(5_000) }),
      ]);
      const found = await storage.catalog.findProduct(partition, "prod_1");
      const document = JSON.parse(found?.document ?? "null");
      assert.deepEqual([document.name, document.price], [name, 9_007_199_254_740_991]);
      const cart = await storage.checkout.loadCart(partition, ["prod_1", "prod_none"], null);
      assert.deepEqual(cart.products, [
        {
          ...product("prod_1", {
            name,
            price: 9_007_199_254_740_991,
            description: "x".repeat(5_000),
          }),
          on_hand: null,
        },
      ]);
    },
  },
  {
    name: "products are listed by position, then id by bytes; drafts are not",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      await shop([
        product("prod_b"),
        product("prod_B", { slug: "upper" }),
        product("prod_a", { position: 1 }),
        product("prod_c", { active: false }),
        product("prod_z", { position: 0 }),
      ]);
      const listed = await storage.catalog.listProducts({ ...partition, limit: 10 });
      assert.deepEqual(listed.outcome === "listed" && listed.rows.map((row) => row.id), [
        "prod_B",
        "prod_b",
        "prod_z",
        "prod_a",
      ]);
      const rest = await storage.catalog.listProducts({
        ...partition,
        limit: 1,
        after: { position: 0, id: "prod_b" },
      });
      assert.deepEqual(rest.outcome === "listed" && rest.rows.map((row) => row.id), [
        "prod_z",
        "prod_a",
      ]);
    },
  },
  {
    name: "pages by offset follow one another at any depth, of all products and of a category",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      const ids = Array.from(
        { length: 1_030 },
        (_, index) => `prod_${String(index).padStart(4, "0")}`,
      );
      await shop([]);
      await storage.catalog.putCategory(category("cat_1"));
      const records = ids.map((id, position) => ({
        record: product(id, { position, category_ids: ["cat_1"] }),
        set_stock: false,
      }));
      assert.equal((await storage.catalog.putProducts("str_A", records)).outcome, "stored");
      for (const more of [{}, { category_slug: "c" }, { search: "o" }])
        for (const offset of [0, 970, 990, 1_000, 1_020]) {
          const listed = await storage.catalog.listProducts({
            ...partition,
            ...more,
            offset,
            limit: 20,
          });
          const found = listed.outcome === "listed" ? listed.rows.map(({ id }) => id) : listed;
          assert.deepEqual(
            found,
            ids.slice(offset, offset + 21),
            JSON.stringify({ ...more, offset }),
          );
        }
    },
  },
  {
    name: "a product is found by its id before the slug of another; a draft by neither",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      await shop([
        product("prod_a", { slug: "prod_b" }),
        product("prod_b", { slug: "own" }),
        product("prod_c", { slug: "draft", active: false }),
      ]);
      const found = async (name: string): Promise<unknown> =>
        JSON.parse((await storage.catalog.findProduct(partition, name))?.document ?? "null")?.id ??
        null;
      const names = ["prod_a", "prod_b", "own", "prod_c", "draft", "none"];
      assert.deepEqual(await Promise.all(names.map(found)), [
        "prod_a",
        "prod_b",
        "prod_b",
        null,
        null,
        null,
      ]);
    },
  },
  {
    name: "a category's products follow it: deleted, disabled and moved",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition, store } = fixtures(context);
      await storage.access.createStore(store());
      await storage.catalog.putCategory(category("cat_1"));
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
      await storage.catalog.putCategory(category("cat_1", { enabled: false }));
      assert.equal(await count(), 0);
      assert.equal(await storage.catalog.deleteCategory("str_A", "cat_1"), true);
      assert.deepEqual(
        (await storage.catalog.findProductRecord("str_A", "prod_1"))?.category_ids,
        [],
      );
    },
  },
  {
    name: "a store never sees another's rows",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon } = fixtures(context);
      await shop();
      await storage.catalog.putCoupon(coupon("CODE"));
      const other = { store_id: "str_B", livemode: false };
      assert.equal(await storage.catalog.findProduct(other, "prod_1"), null);
      assert.deepEqual(await storage.checkout.loadCart(other, ["prod_1"], "CODE"), {
        products: [],
        coupon: null,
      });
    },
  },
  {
    name: "search finds a part of the folded name or of the slug; wildcards are text, and nothing spans both",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      await shop([
        product("prod_1", { name: "Ação 100%_x", slug: "zz-top" }),
        product("prod_2", { name: "acre", active: false }),
      ]);
      const count = async (search: string) => {
        const listed = await storage.catalog.listProducts({ ...partition, search, limit: 10 });
        return listed.outcome === "listed" ? listed.rows.length : -1;
      };
      for (const search of ["acao", "0%_", "%", "_", "zz-t"])
        assert.equal(await count(search), 1, search);
      for (const search of ["a%o", "z_-top", "xzz", "x\nzz", "acre", "0\\%"])
        assert.equal(await count(search), 0, search);
    },
  },
  {
    name: "a category is named by slug, by id or by both; different ones conflict, unknown ones are empty",
    async run(context) {
      const { storage, assert } = context;
      const { product, store, partition } = fixtures(context);
      await storage.access.createStore(store());
      for (const [index, slug] of ["a", "b"].entries())
        await storage.catalog.putCategory(category(`cat_${index}`, { slug }));
      const put = (position: number) =>
        storage.catalog.putProducts("str_A", [
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
      const unknown = await storage.catalog.putProducts("str_A", [
        { record: product("prod_3", { category_ids: ["cat_2"] }), set_stock: true },
      ]);
      assert.deepEqual(unknown, { outcome: "unknown_category", index: 0 });
    },
  },
  ...catalogOwnerCases,
];
