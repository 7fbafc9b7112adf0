import { putProducts } from "../../../steps/product-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import type { ProductQuery } from "../../../storage/types.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord } from "../fixtures/record-fixtures.ts";

/** Checks what buyers read of the catalog. */
export const catalogCases: readonly StorageCase[] = [
  {
    name: "products are listed by position, then by the bytes of the id, without drafts",
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
    name: "a list by price or age gives each product once, page by page, and ties by the id",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);

      const time = Date.UTC(2026, 0, 1);
      const made = (id: string, price: number, age: number, more: { active?: boolean } = {}) =>
        product(id, { price, created_at: time - age, category_ids: ["cat_1"], ...more });
      await shop([]);
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      const records = [
        made("prod_b", 500, 3),
        made("prod_a", 500, 1),
        made("prod_d", 0, 2),
        made("prod_c", 12_345_678_901, 1),
        made("prod_e", 500, 9),
        made("prod_x", 1, 0, { active: false }),
        product("prod_o", { price: 7, created_at: time, name: "Other", slug: "other" }),
      ];
      for (const record of records)
        await putProducts(storage.records, "str_A", [{ record, set_stock: false }]);

      const orders = {
        price: ["prod_d", "prod_a", "prod_b", "prod_e", "prod_c"],
        "-price": ["prod_c", "prod_e", "prod_b", "prod_a", "prod_d"],
        newest: ["prod_c", "prod_a", "prod_d", "prod_b", "prod_e"],
      };
      for (const sort of ["price", "-price", "newest"] as const)
        for (const more of [{ category_slug: "c" }, { search: "pro" }, { search: "pr" }]) {
          const found: string[] = [];
          let after: { position: number; id: string } | undefined;
          for (;;) {
            const listed = await storage.catalog.listProducts({
              ...partition,
              ...more,
              ...(after ? { after } : {}),
              sort,
              limit: 2,
            });
            if (listed.outcome !== "listed") throw new Error(listed.outcome);
            const shown = listed.rows.slice(0, 2);
            found.push(...shown.map(({ id }) => id));
            after = shown.at(-1);
            if (listed.rows.length <= 2) break;
          }
          assert.deepEqual(found, orders[sort], JSON.stringify({ sort, ...more }));

          const query = { ...partition, ...more, sort, offset: 1, limit: 2 };
          const second = await storage.catalog.listProducts(query);
          assert.deepEqual(
            second.outcome === "listed" && second.rows.map(({ id }) => id),
            orders[sort].slice(1, 4),
          );
        }

      const all = await storage.catalog.listProducts({ ...partition, sort: "price", limit: 10 });
      assert.deepEqual(all.outcome === "listed" && all.rows.map(({ id }) => id), [
        "prod_d",
        "prod_o",
        ...orders.price.slice(1),
      ]);
    },
  },
  {
    name: "pages by offset are contiguous, for all products and for one category",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);

      const ids = Array.from(
        { length: 1_230 },
        (_, index) => `prod_${String(index).padStart(4, "0")}`,
      );
      const isDraft = (index: number): boolean => index % 7 === 3;
      const shown = ids.filter((_, index) => !isDraft(index));
      await shop([]);
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      // Three products share each position, and so they are sorted by their ids.
      const records = ids.map((id, index) => ({
        record: product(id, {
          position: Math.floor(index / 3),
          active: !isDraft(index),
          category_ids: ["cat_1"],
        }),
        set_stock: false,
      }));
      assert.equal((await putProducts(storage.records, "str_A", records)).outcome, "stored");
      const lists: readonly Partial<ProductQuery>[] = [
        {},
        { group: "first" },
        { livemode: true },
        { category_slug: "c" },
        { search: "o" },
      ];
      for (const more of lists)
        for (const offset of [0, 40, 60, 80, 970, 990, 1_000, 1_020, 1_050]) {
          const listed = await storage.catalog.listProducts({
            ...partition,
            ...more,
            offset,
            limit: 20,
          });
          const found = listed.outcome === "listed" ? listed.rows.map(({ id }) => id) : listed;
          assert.deepEqual(
            found,
            shown.slice(offset, offset + 21),
            JSON.stringify({ ...more, offset }),
          );
        }
    },
  },
  {
    name: "an id finds its product before another product's slug does; drafts are not found",
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
    name: "a store never sees the rows of another store",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon } = fixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE"));
      const other = { store_id: "str_B", livemode: false };
      assert.equal(await storage.catalog.findProduct(other, "prod_1"), null);
      assert.deepEqual(await storage.checkout.loadCart(other, ["prod_1"], "CODE"), {
        products: [],
        coupon: null,
      });
    },
  },
  {
    name: "product text is stored exactly, whatever its script, quotes and line breaks",
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
];
