import type { ProductSort } from "../../../contract/schemas.ts";
import { submitSession } from "../../../steps/checkout-steps.ts";
import { deleteRecord, putRecord } from "../../../steps/record-steps.ts";
import type { ProductQuery } from "../../../storage/types.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord, partition } from "../fixtures/record-fixtures.ts";
import { reader, sized } from "./group-reader.ts";

/** Checks what the lists of a buyer show of groups of variants. */
export const groupCases: readonly StorageCase[] = [
  {
    name: "a product tells of the active products of its group, and one without a group of none",
    async run(context) {
      const { assert } = context;
      const { shop } = fixtures(context);
      const { product, put, groupOf } = reader(context);

      await shop([product("prod_0")]);
      await put([
        product("prod_1", { group: "shirt", price: 100, position: 2, ...sized("M", "red") }),
        product("prod_2", {
          group: "shirt",
          price: 300,
          position: 1,
          ...sized("L", "red"),
          stock: 0,
        }),
        product("prod_3", { group: "shirt", price: 50, active: false, ...sized("S", "red") }),
      ]);
      assert.equal(await groupOf("prod_0"), undefined);
      const expected = {
        id: "shirt",
        price_from: 100,
        price_to: 300,
        available: true,
        options: [
          { name: "Size", values: ["L", "M"] },
          { name: "Colour", values: ["red"] },
        ],
        variants: [
          { id: "prod_2", slug: "prod-2", ...sized("L", "red"), price: 300, available: false },
          { id: "prod_1", slug: "prod-1", ...sized("M", "red"), price: 100, available: true },
        ],
      };
      assert.deepEqual(await groupOf("prod_1"), expected);
      assert.deepEqual(await groupOf("prod-2"), expected);
      assert.equal(await groupOf("prod_3"), undefined);
    },
  },
  {
    name: "a list of groups has the cheapest active product of each, whatever is written to it",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      const { product, put, ids } = reader(context);
      const one = product("prod_1", { group: "g", price: 200, ...sized("S") });
      const two = product("prod_2", { group: "g", price: 100, position: 5, ...sized("M") });
      const alone = product("prod_9", { price: 150, position: 3 });

      await shop([]);
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      const category_ids = ["cat_1"];
      await put([{ ...one, category_ids }, { ...two, category_ids }, alone]);
      assert.deepEqual(await ids(), ["prod_9", "prod_2"]);
      assert.deepEqual(await ids({ category_id: "cat_1" }), ["prod_2"]);

      await put([{ ...one, category_ids, price: 100 }]);
      assert.deepEqual(await ids(), ["prod_1", "prod_9"]);
      assert.deepEqual(await ids({ category_id: "cat_1" }), ["prod_1"]);
      await put([{ ...one, category_ids, active: false }]);
      assert.deepEqual(await ids(), ["prod_9", "prod_2"]);
      await put([{ ...one, category_ids, price: 10 }]);
      assert.deepEqual(await ids(), ["prod_1", "prod_9"]);
      await deleteRecord(storage.records, "product", { store_id: "str_A", id: "prod_1" });
      assert.deepEqual(await ids({ category_id: "cat_1" }), ["prod_2"]);

      await put([
        { ...two, group: "h" },
        { ...one, group: "h", price: 1 },
      ]);
      assert.deepEqual(await ids(), ["prod_1", "prod_9"]);
      await put([product("prod_1", { position: 1 })]);
      assert.deepEqual(await ids(), ["prod_1", "prod_9", "prod_2"]);
      await deleteRecord(storage.records, "category", { store_id: "str_A", id: "cat_1" });
      assert.deepEqual(await ids({ group: undefined }), ["prod_1", "prod_9", "prod_2"]);
    },
  },
  {
    name: "the pages of a list of groups have each card once, in every order and with a search",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      const { product, ids } = reader(context);

      const records = Array.from({ length: 60 }, (_, index) => {
        const number = String(index).padStart(2, "0");
        const group = index % 3 === 0 ? {} : { group: `g${index % 7}`, ...sized(number) };
        return product(`prod_${number}`, {
          name: `Shirt ${number}`,
          price: 100 + ((index * 37) % 11),
          position: (index * 17) % 5,
          created_at: 1_000 + ((index * 5) % 13),
          category_ids: [],
          ...group,
        });
      });
      await shop(records);
      const sorts: readonly ProductSort[] = ["position", "price", "-price", "newest"];
      const lists: readonly Partial<ProductQuery>[] = [
        ...sorts.map((sort) => ({ sort })),
        { search: "shirt", sort: "relevance" },
        { search: "shirt", sort: "price" },
        { search: "sh", sort: "relevance" },
        { search: "sh", sort: "-price" },
      ];
      for (const query of lists) {
        const all = await ids(query);
        assert.equal(all.length, 27);
        const paged: string[] = [];
        for (let after: ProductQuery["after"]; ; ) {
          const page = await storage.catalog.listProducts({
            ...partition,
            group: "first",
            ...query,
            limit: 4,
            ...(after && { after }),
          });
          const rows = page.outcome === "listed" ? page.rows : [];
          paged.push(...rows.slice(0, 4).map(({ id }) => id));
          if (rows.length <= 4) break;
          after = rows[3];
        }
        assert.deepEqual(paged, all);
        assert.deepEqual(await ids({ ...query, limit: 4, offset: 20 }), all.slice(20, 25));
      }
    },
  },
  {
    name: "a card has the prices of its group, and is available when any of it is",
    async run(context) {
      const { storage, assert } = context;
      const { shop, session, openSession, submission } = fixtures(context);
      const { product, list } = reader(context);

      await shop([
        product("prod_1", { group: "g", price: 100, stock: 1, ...sized("S") }),
        product("prod_2", { group: "g", price: 900, stock: 0, ...sized("M") }),
        product("prod_3", { group: "g", price: 9_000, active: false, ...sized("L") }),
        product("prod_4", { position: 1 }),
      ]);
      const groups = async () => (await list()).map(({ group }) => group);
      const card = { id: "g", price_from: 100, price_to: 900 };
      assert.deepEqual(await groups(), [{ ...card, available: true }, undefined]);
      assert.deepEqual((await list({ group: undefined }))[0]?.group, { id: "g" });

      const lines = session().lines.map((line) => ({ ...line, product_id: "prod_1" }));
      await submitSession(storage.orders, submission(await openSession({ lines })));
      assert.deepEqual(await groups(), [{ ...card, available: false }, undefined]);
    },
  },
];
