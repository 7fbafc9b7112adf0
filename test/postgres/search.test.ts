import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { fold } from "../../src/domain/text/fold.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { rankStep } from "../../src/rules/catalog/search/product-rank.ts";
import { putProducts } from "../../src/steps/product-steps.ts";
import { deleteRecord, putRecord } from "../../src/steps/record-steps.ts";
import { createStore } from "../../src/steps/store-steps.ts";
import type { ProductQuery, Storage } from "../../src/storage/types.ts";
import { fixtures } from "../../src/testing/conformance/fixtures/fixtures.ts";
import { categoryRecord } from "../../src/testing/conformance/fixtures/record-fixtures.ts";
import { databasesBySql } from "../support/databases-by-sql.ts";

const pieces = [
  "a",
  "ção",
  "Ã",
  "co",
  "100%",
  "_",
  "\\",
  "'",
  '"',
  "%",
  " ",
  "-",
  "日本語",
  "ß",
  "İ",
  "e\u0301",
  "🧉",
  "or",
  "AND",
  "*",
  "(",
  ")",
  ":",
  "^",
  "NEAR",
  "xyz",
  "\n",
];
const text = (max: number) =>
  fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: max })
    .map((parts) => parts.join(""));
const count = 800;
const partition = { store_id: "str_A", livemode: false };

// The tables are new: those of other tests have statistics of their own.
const databases = await databasesBySql("search");

test("search through the index finds what a scan finds: accents, wildcards, quotes, short terms, changed and deleted products", async () => {
  const memory = memoryStorage();
  const indexed = [databases.open.sqlite(), databases.open.postgres()].map(
    ({ storage }) => storage,
  );
  for (const storage of indexed) await storage.migrate();
  const names = fc.sample(text(6), { numRuns: count, seed: 7 });
  for (const storage of [memory, ...indexed]) await fill(storage, names);
  const query = fc.record({
    search: fc
      .oneof(
        text(3),
        // Words of several products, in any order.
        fc.array(text(1), { minLength: 2, maxLength: 3 }).map((words) => words.join(" ")),
        fc.nat(count - 1).chain((at) => substring(names[at] ?? "a")),
      )
      .map((term) => fold(term).slice(0, 100)),
    limit: fc.constantFrom(1, 20, 100),
    offset: fc.constantFrom(0, 0, 3, 40),
    category: fc.constantFrom(
      {},
      {},
      { category_slug: "c" },
      { category_id: "cat_1" },
      { category_slug: "none" },
    ),
    sort: fc.constantFrom("relevance", "relevance", "position", "price", "-price", "newest"),
    after: fc.option(
      fc.record({
        position: fc.tuple(fc.nat(8), fc.constantFrom(0, 0, 1, 3, 4, 5)),
        id: fc.nat(count).map((at) => `prod_${at}`),
      }),
      { nil: undefined },
    ),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ category, after: place, ...rest }) => {
      const { position: [position, rank] = [0, 0], id = "" } = place ?? {};
      const ranked = rest.sort === "relevance" ? rank * rankStep : 0;
      const after = place && { position: position + ranked, id };
      const asked: ProductQuery = {
        store_id: "str_A",
        livemode: false,
        ...rest,
        ...category,
        ...(after ? { after } : {}),
      };
      const expected = await memory.catalog.listProducts(asked);
      for (const storage of indexed)
        assert.deepEqual(await storage.catalog.listProducts(asked), expected);
    }),
    { numRuns: 500, seed: 7 },
  );
  await Promise.all([memory, ...indexed].map((storage) => storage.close()));
});

const substring = (name: string) =>
  fc
    .tuple(fc.nat(Math.max(0, [...name].length - 1)), fc.integer({ min: 1, max: 12 }))
    .map(([from, length]) => [...name].slice(from, from + length).join("") || "a");

const fixturesOf = (storage: Storage) =>
  fixtures({
    storage,
    clock: { now: () => 1, advance: () => {} },
    newId: (kind) => `${kind}_1`,
    assert,
  });

async function fillNames(storage: Storage, names: readonly string[]): Promise<void> {
  const { product, store } = fixturesOf(storage);
  await createStore(storage.records, store());
  await putRecord(storage.records, "category", categoryRecord("cat_1"));
  for (let from = 0; from < names.length; from += 500)
    await putProducts(
      storage.records,
      "str_A",
      names.slice(from, from + 500).map((name, at) => ({
        record: product(`prod_${from + at}`, {
          name,
          slug: `s${from + at}`,
          position: (from + at) % 900,
          category_ids: at % 4 === 0 ? ["cat_1"] : [],
        }),
        set_stock: false,
      })),
    );
}

async function fill(storage: Storage, names: readonly string[]): Promise<void> {
  const { product, store } = fixturesOf(storage);
  const put = (list: readonly (readonly [name: string, index: number])[]) =>
    putProducts(
      storage.records,
      "str_A",
      list.map(([name, index]) => ({
        record: product(`prod_${index}`, {
          name,
          slug: `s${index}-${"abc".slice(index % 3)}`,
          position: index % 5,
          price: 1 + (index % 8),
          created_at: index % 9,
          active: index % 7 > 0,
          category_ids: index % 2 ? ["cat_1"] : [],
        }),
        set_stock: false,
      })),
    );
  await createStore(storage.records, store());
  await createStore(storage.records, store({ id: "str_B", slug: "b" }));
  await putRecord(storage.records, "category", categoryRecord("cat_1"));
  await putProducts(
    storage.records,
    "str_B",
    names.slice(0, 50).map((name, index) => ({
      record: product(`prod_${index}`, { store_id: "str_B", name }),
      set_stock: false,
    })),
  );
  await put(names.map((name, index) => [names[(index * 13) % names.length] ?? name, index]));
  await put(
    names.map((name, index) => [name, index] as const).filter(([, index]) => index % 10 > 0),
  ); // most products get another name
  for (let index = 0; index < names.length; index += 50)
    await deleteRecord(storage.records, "product", { store_id: "str_A", id: `prod_${index}` });
}

test("above 10,000 hits the names that equal the search or begin with it come first, alike on all storages", async () => {
  const memory = memoryStorage();
  const indexed = [databases.open.sqlite(), databases.open.postgres()].map(
    ({ storage }) => storage,
  );
  for (const storage of indexed) await storage.migrate();
  const nameOf = (index: number): string => {
    // These two are the last of the list, behind its first 10,000.
    if (index === 8_999) return "Quindim";
    if (index === 9_899) return "Pão com queijo";
    // By their ids, this is the last.
    if (index === 9_999) return "Wok";
    if (index % 2_500 === 7) return "Café";
    if (index % 2_500 === 8) return `Café ${index}`;
    return index % 3 === 0 ? `Moinho e café ${index}` : `O café ${index}`;
  };
  const names = Array.from({ length: 10_050 }, (_, index) => nameOf(index));
  for (const storage of [memory, ...indexed]) await fillNames(storage, names);

  const alike = async (searches: readonly string[]): Promise<void> => {
    for (const search of searches)
      for (const more of [{}, { category_slug: "c" }, { offset: 60 }]) {
        let after: ProductQuery["after"];
        for (let page = 0; page < 4; page += 1) {
          const asked = { ...partition, search, sort: "relevance", ...more, limit: 7 } as const;
          const query: ProductQuery = after ? { ...asked, offset: 0, after } : asked;
          const expected = await memory.catalog.listProducts(query);
          for (const storage of indexed)
            assert.deepEqual(await storage.catalog.listProducts(query), expected, search);
          assert(expected.outcome === "listed");
          const last = expected.rows[6];
          if (!last) break;
          after = { position: last.position, id: last.id };
        }
      }
  };
  await alike(["cafe", "caf", "cafe moinho", "e", "o", "o cafe", "ca"]);
  for (const storage of [memory, ...indexed]) {
    const namesOf = async (search: string, sort: ProductQuery["sort"]) => {
      const found = await storage.catalog.listProducts({ ...partition, search, sort, limit: 100 });
      assert(found.outcome === "listed");
      return found.rows.map(({ document }) => (JSON.parse(document) as { name: string }).name);
    };
    assert.deepEqual(await namesOf("q", "relevance"), ["Quindim"]);
    assert.deepEqual(await namesOf("q", "position"), []);
    assert.deepEqual(await namesOf("que", "position"), ["Pão com queijo"]);

    const ownNames = async (search: string) => {
      const query = { search, after: null, limit: 100 };
      const found = await storage.catalog.listProductRecords(partition.store_id, query);
      return found.map(({ name }) => name);
    };
    assert.deepEqual(await ownNames("q"), ["Quindim", "Pão com queijo"]);
    assert.deepEqual(await ownNames("w"), [], "the owner's list looks at the first 10,000 too");
    assert.deepEqual(await ownNames("wok"), ["Wok"]);
  }
  const best = await memory.catalog.listProducts({
    ...partition,
    search: "cafe",
    sort: "relevance",
    limit: 10,
  });
  assert(best.outcome === "listed");
  assert.deepEqual(
    best.rows.map(({ document }) => (/"name":"(Café ?)/.exec(document) ?? [])[1] ?? ""),
    [...Array(5).fill("Café"), ...Array(5).fill("Café "), ""],
  );

  // 10,047 products have the word: without these, just as many are left as are ranked.
  for (const storage of [memory, ...indexed])
    for (let index = 5_000; index < 5_047; index += 1)
      await deleteRecord(storage.records, "product", { store_id: "str_A", id: `prod_${index}` });
  await alike(["cafe", "caf"]);
  await Promise.all([memory, ...indexed].map((storage) => storage.close()));
}, 120_000);
