import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { applyImport, type ImportOptions, planImport, readProducts } from "vitrine/import";
import type { ImportedProduct, ReadProduct, RecordOutcome } from "vitrine/owner";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const sample = readFileSync(new URL("../../examples/demo/catalog.csv", import.meta.url), "utf8");
const sampleProducts = () =>
  readProducts({ format: "shopify", open: () => sample, currency: "BRL" });

const product = (slug: string, changes: Partial<ImportedProduct> = {}): ImportedProduct => ({
  slug,
  sku: null,
  name: slug.toUpperCase(),
  description: null,
  images: [],
  price: 100,
  compare_at_price: null,
  currency: "BRL",
  categories: [],
  active: true,
  stock: null,
  ...changes,
});

async function* recordsOf(
  ...products: readonly (ImportedProduct | ReadProduct)[]
): AsyncGenerator<ReadProduct> {
  for (const [index, each] of products.entries())
    yield "sku" in each ? { line: index + 2, product: each, notes: [] } : each;
}

const many = (count: number, changes: Partial<ImportedProduct> = {}) =>
  recordsOf(...Array.from({ length: count }, (_, index) => product(`p-${index}`, changes)));

const none = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  deactivated: 0,
  categories_created: 0,
  complete: true,
  missing_kept: null,
};

const broken: ReadProduct = {
  refused: { line: 9, column: "Price", message: "The price is missing." },
  is_end: false,
};

describe.each(storages)("an import of records on %s", (_name, open) => {
  let shop: Shop;
  let store_id: string;
  beforeEach(async () => {
    shop = await createShop(await open());
    store_id = shop.a.id;
  });

  type Options = Partial<ImportOptions>;
  const plan = (records: AsyncIterable<ReadProduct>, options: Options = {}) =>
    planImport(shop.storefront, records, { store_id, ...options });
  const apply = (records: AsyncIterable<ReadProduct>, options: Options = {}) =>
    applyImport(shop.storefront, records, { store_id, ...options });

  /** Plans, looks that nothing was stored, applies, and gives the one result of both. */
  async function both(records: () => AsyncIterable<ReadProduct>, options: Options = {}) {
    const told: RecordOutcome[][] = [[], []];
    const into = (index: number) => ({
      ...options,
      onProgress: ({ outcomes }: { outcomes: readonly RecordOutcome[] }) =>
        void told[index]?.push(...outcomes),
    });
    const before = await listed(store_id);
    const planned = await plan(records(), into(0));
    expect(await listed(store_id)).toEqual(before);

    const applied = await apply(records(), into(1));
    expect(planned).toEqual(applied);
    expect(told[0]).toEqual(told[1]);
    return { ...applied, outcomes: told[1] ?? [] };
  }

  async function listed(store: string) {
    const { products, categories } = shop.owner;
    const rows = [];
    let starting_after: string | null = null;
    for (;;) {
      const { data, next_cursor } = await products.list(store, { limit: 100, starting_after });
      rows.push(...data);
      if (next_cursor === null) return { rows, categories: await categories.list(store) };
      starting_after = next_cursor;
    }
  }
  const bySlug = async (slug: string) =>
    (await listed(store_id)).rows.find((each) => each.slug === slug);

  test("stores a whole file as its plan told, and a second run changes nothing", async () => {
    const other = await listed(shop.b.id);
    const first = await both(sampleProducts);
    expect(first.created).toBeGreaterThan(20);
    expect(first).toMatchObject({ updated: 0, unchanged: 0, complete: true });
    expect(first.categories_created).toBeGreaterThan(0);

    const stored = await listed(store_id);
    shop.advance(60_000);
    const { outcomes: _outcomes, ...second } = await both(sampleProducts);
    expect(second).toEqual({ ...none, unchanged: first.created, refused: first.refused });
    expect(await listed(store_id)).toEqual(stored);
    expect(await listed(shop.b.id)).toEqual(other);
  });

  test("changes what the record says, and keeps what only the store knows", async () => {
    const { owner } = shop;
    const made = await owner.products.create(store_id, {
      slug: "cup",
      name: "Cup",
      price: 5,
      currency: "BRL",
      blocked: true,
      position: 7,
      stock: 3,
    });
    const categories = [
      { slug: "z", name: "Z" },
      { slug: "a", name: "A" },
    ];
    const records = () =>
      recordsOf(product("cup", { price: 9, stock: 3, categories, images: ["/a.png"] }));

    expect(await both(records)).toMatchObject({ updated: 1, created: 0, categories_created: 2 });
    const stored = await bySlug("cup");
    expect(stored).toMatchObject({
      id: made.id,
      name: "CUP",
      price: 9,
      blocked: true,
      position: 7,
      images: ["/a.png"],
    });
    expect(stored?.category_ids).toHaveLength(2);
    expect(await both(records)).toMatchObject({ unchanged: 1, updated: 0, categories_created: 0 });
  });

  const partial = [
    ["shopify", "Handle,Title,Variant Price\ncup,Cup,9.00\n"],
    ["shopify", "URL handle,Title,Price,Inventory tracker\ncup,Cup,9.00,shopify\n"],
    ["woocommerce", "Type,SKU,Name,Regular price\nsimple,cup,Cup,9.00\n"],
    ["woocommerce", "Type,SKU,Name,Regular price,In stock?\nsimple,cup,Cup,9.00,1\n"],
    ["jsonl", '{"slug":"cup","name":"Cup","price":900}'],
  ] as const;
  test.each(partial)("leaves what a file of %s does not tell: %j", async (format, text) => {
    const { id } = await shop.owner.categories.create(store_id, { slug: "cups", name: "Cups" });
    const facts = {
      ...{ description: "Of clay", images: ["/a.png"], compare_at_price: 1_000, stock: 3 },
      ...{ active: false, category_ids: [id] },
    };
    const old = { slug: "cup", name: "Cup", price: 800, currency: "BRL" };
    await shop.owner.products.create(store_id, { ...old, ...facts });

    const records = () => readProducts({ format, open: () => text, currency: "BRL" });
    const { outcomes, ...counts } = await both(records);
    expect(counts).toEqual({ ...none, updated: 1 });
    expect(outcomes[0]?.fields).toContain("price");
    expect(await bySlug("cup")).toMatchObject({ ...facts, price: 900 });
    expect(await both(records)).toMatchObject({ unchanged: 1 });
  });

  test("refuses broken rows by row, column and reason, and stores the others", async () => {
    const records = () =>
      recordsOf(
        product("good"),
        product("bad", { price: 1.5 }),
        product("good", { price: 2 }),
        product("euro", { currency: "EUR" }),
        product("odd", { categories: [{ slug: "Not A Slug", name: "N" }] }),
        broken,
        product("last"),
      );
    const { outcomes, ...counts } = await both(records);
    expect(counts).toEqual({ ...none, created: 2, refused: 5 });
    expect(
      outcomes.map(({ line, slug, outcome, column }) => [line, slug, outcome, column]),
    ).toEqual([
      [2, "good", "created", null],
      [3, "bad", "refused", "price"],
      [4, "good", "refused", "slug"],
      [5, "euro", "refused", "currency"],
      [6, "odd", "refused", "categories[0].slug"],
      [9, null, "refused", "Price"],
      [8, "last", "created", null],
    ]);
    expect(outcomes[3]?.message).toBe("The price is in EUR, and not in BRL.");
    expect((await bySlug("good"))?.price).toBe(100);
  });

  test("takes the currency of an option instead of the store's", async () => {
    const records = () => recordsOf(product("euro", { currency: "EUR" }));
    expect(await both(records, { currency: "EUR" })).toMatchObject({ created: 1, refused: 0 });
  });

  test("goes on after a kill, and makes nothing twice", async () => {
    const had = (await listed(store_id)).rows.length;
    let told = 0;
    const killed = apply(many(500), {
      onProgress() {
        told++;
        if (told === 2) throw new Error("killed");
      },
    });
    await expect(killed).rejects.toThrow("killed");
    expect((await listed(store_id)).rows).toHaveLength(had + 400);

    expect(await apply(many(500))).toEqual({ ...none, created: 100, unchanged: 400 });
    expect(await apply(many(500))).toEqual({ ...none, unchanged: 500 });
    expect((await listed(store_id)).rows).toHaveLength(had + 500);
  });

  test("reads no record further than the chunk that it stores", async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<ReadProduct> {
      for await (const each of many(450)) {
        read++;
        yield each;
      }
    }
    const ahead: number[] = [];
    await apply(counted(), { onProgress: ({ created }) => void ahead.push(read - created) });
    expect(ahead).toEqual([0, 0, 0]);
  });

  test("deactivates what the file no longer has, in this store alone", async () => {
    const old = (await listed(store_id)).rows.filter(({ active }) => active);
    await apply(many(250));
    const other = await listed(shop.b.id);

    const records = () => many(5);
    const { outcomes, ...counts } = await both(records, { missing: "deactivate" });
    expect(counts).toEqual({ ...none, unchanged: 5, deactivated: 245 + old.length });
    expect(outcomes.filter(({ outcome }) => outcome === "deactivated")).toHaveLength(
      counts.deactivated,
    );
    expect((await listed(store_id)).rows.filter(({ active }) => active)).toHaveLength(5);
    expect(await listed(shop.b.id)).toEqual(other);
    expect(await both(records, { missing: "deactivate" })).toMatchObject({ deactivated: 0 });
    expect(await apply(many(250), { missing: "keep" })).toMatchObject({ updated: 245 });
  });

  test.each([
    ["refused", () => recordsOf(product("a"), broken)],
    ["incomplete", () => recordsOf(product("a"), { ...broken, is_end: true })],
    ["empty", () => recordsOf()],
  ] as const)("deactivates nothing where the file is %s", async (missing_kept, records) => {
    const before = (await listed(store_id)).rows.filter(({ active }) => active).length;
    const result = await both(records, { missing: "deactivate" });
    expect(result).toMatchObject({ deactivated: 0, missing_kept });
    const after = (await listed(store_id)).rows.filter(({ active }) => active).length;
    expect(after).toBe(before + result.created);
  });

  test("takes over a product that another call creates meanwhile", async () => {
    const { catalog } = shop.storage;
    const find = catalog.findProductRecords;
    catalog.findProductRecords = async (...query) => {
      const found = await find.apply(catalog, query);
      catalog.findProductRecords = find;
      await shop.owner.products.create(store_id, {
        slug: "cup",
        name: "Theirs",
        price: 1,
        currency: "BRL",
      });
      return found;
    };
    expect(await apply(recordsOf(product("cup")))).toEqual({ ...none, updated: 1 });
    expect((await bySlug("cup"))?.name).toBe("CUP");
  });

  test("leaves one entry in the audit log, and its plan none", async () => {
    const ana = shop.storefront.as("ana");
    const entries = async () =>
      (await shop.owner.audit.list({ store_id, action: "products.import" })).data;
    const records = () => many(250, { categories: [{ slug: "new", name: "New" }] });
    await planImport(ana, records(), { store_id });
    expect(await entries()).toEqual([]);

    await applyImport(ana, records(), { store_id });
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ after: { created: 250, updated: 0, unchanged: 0 } });
  });

  test("leaves out, and tells, the categories that a full store cannot have", async () => {
    const { categories } = shop.owner;
    const had = (await categories.list(store_id)).length;
    const fill = Array.from({ length: 1_000 - had - 1 }, (_, index) =>
      product(`c-${index}`, { categories: [{ slug: `c-${index}`, name: "C" }] }),
    );
    await apply(recordsOf(...fill));

    const one = { slug: "one-more", name: "One" };
    const records = () =>
      recordsOf(product("full", { categories: [one, { slug: "too-many", name: "Two" }] }));
    const { outcomes, ...counts } = await both(records);
    expect(counts).toEqual({ ...none, created: 1, categories_created: 1 });
    expect(outcomes[0]?.notes.map(({ message }) => message)).toEqual([
      "The category too-many is left out: a store has at most 1,000.",
    ]);
    expect((await bySlug("full"))?.category_ids).toHaveLength(1);
    expect(await both(records)).toMatchObject({ unchanged: 1, categories_created: 0 });
  });

  test("refuses an unknown store and wrong input", async () => {
    expect(await thrownBy(plan(many(1), { store_id: "str_none" }))).toMatchObject({
      code: "resource_not_found",
      param: "store_id",
    });
    expect(await thrownBy(plan([] as never))).toMatchObject({ param: "records" });
    expect(await thrownBy(plan(many(1), { missing: "drop" as never }))).toMatchObject({
      param: "missing",
    });
  });
});
