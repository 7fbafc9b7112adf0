import { maxFacetHits } from "../../../rules/catalog/facets.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import type { ProductQuery } from "../../../storage/types.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord, partition } from "../fixtures/record-fixtures.ts";
import { reader, sized } from "./group-reader.ts";

/** Checks what is counted of the products of a list. */
export const facetCases: readonly StorageCase[] = [
  {
    name: "facets count the products of all pages by category, price and what can be bought",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      const { product, put } = reader(context);
      const read = async (query: Partial<ProductQuery>) => {
        const asked = { ...partition, facets: true, limit: 1, ...query } as const;
        const found = await storage.catalog.listProducts(asked);
        return found.outcome === "listed" ? found.facets : undefined;
      };
      const count = async (query: Partial<ProductQuery> = {}) => {
        const facets = await read(query);
        if (query.search) assert.deepEqual(await read({ ...query, sort: "relevance" }), facets);
        return facets;
      };
      await shop();
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      await putRecord(storage.records, "category", categoryRecord("cat_2", { slug: "two" }));
      const hidden = { slug: "off", enabled: false };
      await putRecord(storage.records, "category", categoryRecord("cat_3", hidden));
      const shirt = { name: "Shirt", group: "shirt" };
      await put([
        product("prod_1", { name: "Shirt hook", price: 900, category_ids: ["cat_1", "cat_3"] }),
        product("prod_2", { name: "Cup", price: 100, stock: 0, category_ids: ["cat_1"] }),
        product("prod_3", { ...shirt, price: 300, ...sized("S"), category_ids: ["cat_2"] }),
        product("prod_4", { ...shirt, price: 700, ...sized("M"), category_ids: ["cat_2"] }),
        product("prod_5", { name: "Shirt", price: 1, active: false, category_ids: ["cat_2"] }),
      ]);
      const none = { category: [], price: null, available: { true: 0, false: 0 } };
      const of = (category_id: string, amount: number) => ({ category_id, count: amount });
      const bought = (yes: number, no = 0) => ({ true: yes, false: no });

      assert.deepEqual(await count(), {
        category: [of("cat_1", 2), of("cat_2", 2)],
        price: { min: 100, max: 900 },
        available: bought(3, 1),
      });
      assert.deepEqual(await count({ group: "first", sort: "price" }), {
        category: [of("cat_1", 2), of("cat_2", 1)],
        price: { min: 100, max: 900 },
        available: bought(2, 1),
      });
      const shirts = {
        category: [of("cat_2", 2), of("cat_1", 1)],
        price: { min: 300, max: 900 },
        available: bought(3),
      };
      assert.deepEqual(await count({ search: "shirt", offset: 2 }), shirts);
      assert.deepEqual(await count({ search: "shirt", offset: 9 }), shirts);
      assert.deepEqual(await count({ search: "shirt", limit: 10 }), shirts);
      assert.deepEqual(await count({ search: "shirt", group: "first" }), {
        category: [of("cat_1", 1), of("cat_2", 1)],
        price: { min: 300, max: 900 },
        available: bought(2),
      });
      assert.deepEqual(await count({ search: "sh" }), shirts);
      assert.deepEqual(await count({ search: "shirrt", correct: true }), shirts);
      assert.deepEqual(await count({ search: "shirt", category_id: "cat_2" }), {
        category: [of("cat_2", 2)],
        price: { min: 300, max: 700 },
        available: bought(2),
      });
      assert.deepEqual(await count({ search: "nothing" }), none);
      assert.deepEqual(await count({ category_slug: "unknown" }), none);
      assert.deepEqual(await count({ category_slug: "off" }), none);
      assert.equal(
        (await storage.catalog.listProducts({ ...partition, limit: 1 })).outcome,
        "listed",
      );
    },
  },
  {
    name: "facets of more than 10,000 products are null",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      const { product, put } = reader(context);
      const counted = async (query: Partial<ProductQuery>) => {
        const sort = query.search === undefined ? "position" : "relevance";
        const found = await storage.catalog.listProducts({
          ...{ ...partition, facets: true, limit: 1, sort },
          ...query,
        } as const);
        return found.outcome === "listed" ? found.facets?.available.true : undefined;
      };
      await shop();
      const rows = Array.from({ length: maxFacetHits + 1 }, (_, index) =>
        product(`prod_${index}`, {
          ...{ name: index === 0 ? "Cup" : "Filter", slug: `row-${index}` },
          category_ids: index < 3 ? ["cat_1", "cat_2"] : ["cat_2"],
        }),
      );
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      await putRecord(storage.records, "category", categoryRecord("cat_2", { slug: "two" }));
      for (let at = 0; at < rows.length; at += 1_000) await put(rows.slice(at, at + 1_000));
      assert.equal(await counted({}), undefined);
      assert.equal(await counted({ search: "filter" }), maxFacetHits);
      assert.equal(await counted({ search: "cup" }), 1);
      const category_id = "cat_1";
      assert.equal(await counted({ category_id }), 3);
      assert.equal(await counted({ category_id: "cat_2" }), undefined);
      assert.equal(await counted({ search: "filter", category_id }), 2);
      assert.equal(await counted({ search: "row", category_id }), undefined);
      const first = { name: "Filter", slug: "row-0", category_ids: ["cat_1", "cat_2"] };
      await put([product("prod_0", { ...first, active: false })]);
      assert.equal(await counted({ category_id: "cat_2" }), maxFacetHits);
      assert.equal(await counted({ category_id: "cat_2", group: "first" }), maxFacetHits);
      await put([product("prod_0", first)]);
      assert.equal(await counted({ category_id: "cat_2" }), undefined);
      assert.equal(await counted({ search: "filter", category_id }), undefined);
      assert.equal(await counted({ search: "filter row", category_id }), undefined);
    },
  },
];
