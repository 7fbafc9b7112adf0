import assert from "node:assert/strict";
import type { Storage } from "vitrine";
import type { ProductSort } from "../../src/contract/schemas.ts";
import { putProducts } from "../../src/steps/product-steps.ts";
import { putRecord } from "../../src/steps/record-steps.ts";
import { createStore } from "../../src/steps/store-steps.ts";
import { fixtures } from "../../src/testing/conformance/fixtures/fixtures.ts";
import { categoryRecord } from "../../src/testing/conformance/fixtures/record-fixtures.ts";

/** Makes a store with a category, and gives what puts a product of an index into it. */
export async function openCategory(storage: Storage) {
  const { product, store } = fixtures({
    storage,
    clock: { now: () => 1, advance: () => {} },
    newId: (kind) => `${kind}_1`,
    assert,
  });
  await createStore(storage.records, store());
  await putRecord(storage.records, "category", categoryRecord("cat_1"));

  return (index: number, price: number) =>
    putProducts(storage.records, "str_A", [
      {
        record: product(`prod_${100 + index}`, {
          slug: `slug-${index}`,
          price,
          created_at: index,
          category_ids: ["cat_1"],
        }),
        set_stock: false,
      },
    ]);
}

/** Lists the category in an order: the ids with the numbers that they are sorted by. */
export async function listPlaces(storage: Storage, sort: ProductSort) {
  const found = await storage.catalog.listProducts({
    store_id: "str_A",
    livemode: false,
    category_slug: "c",
    sort,
    limit: 100,
  });
  if (found.outcome !== "listed") throw new Error(found.outcome);
  return found.rows.map(({ id, position }) => [id, position] as const);
}
