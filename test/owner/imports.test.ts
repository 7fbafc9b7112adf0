import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { ImportedProducts, ProductPut } from "vitrine/owner";
import type { Owner } from "../../src/owner/owner.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const word = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(..."\"',;=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 20,
  })
  .filter((text) => text.trim() !== "" && !/\0|\p{Cs}/u.test(text));
const picture = fc.constantFrom("/a.png", "https://example.com/b.png?x=1,2");

const product: fc.Arbitrary<Omit<ProductPut, "id">> = fc.record(
  {
    name: word,
    price: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    currency: fc.constantFrom("BRL", "USD", "JPY"),
    description: fc.option(word),
    images: fc.array(picture, { maxLength: 3 }),
    compare_at_price: fc.option(fc.nat()),
    promotion: fc.option(
      fc.constantFrom(
        { discount_type: "percentage", discount_amount: 12.5 },
        { discount_type: "fixed", discount_amount: 100 },
      ),
    ),
    variables: fc.uniqueArray(
      fc.record({
        key: fc.string({ unit: fc.constantFrom(..."abc._-"), minLength: 1, maxLength: 8 }),
        label: word,
        type: fc.constantFrom("text", "number"),
        required: fc.boolean(),
      }),
      { maxLength: 3, selector: ({ key }) => key },
    ),
    recurring: fc.option(
      fc.record({
        interval: fc.constantFrom("day", "month"),
        interval_count: fc.integer({ min: 1, max: 9 }),
      }),
    ),
    max_quantity: fc.option(fc.integer({ min: 1, max: 99 })),
    active: fc.boolean(),
    blocked: fc.boolean(),
    stock: fc.option(fc.nat({ max: 1_000_000 })),
    position: fc.integer({ min: -99, max: 99 }),
  },
  { requiredKeys: ["name", "price", "currency"] },
);

const nothing = { created: 0, updated: 0, unchanged: 0, faults: [], complete: true };

describe.each(storages)("an import of products on %s", (_name, open) => {
  let shop: Shop;
  let owner: Owner;
  let store_id: string;
  beforeEach(async () => {
    shop = await createShop(await open());
    owner = shop.owner;
    store_id = shop.a.id;
  });

  const csv = (...lines: readonly string[]): Promise<ImportedProducts> =>
    owner.products.import({ store_id, format: "csv", body: lines.join("\r\n") });
  const stockOf = async (): Promise<number | undefined> => {
    const session = await shop.session({ items: [{ product_id: "prod_a", quantity: 3 }] });
    return session.status;
  };

  test("of what was exported changes nothing, and in another store makes the same", async () => {
    const inputs = fc
      .sample(product, 60)
      .map((input, at): ProductPut => ({ ...input, id: `prod_${at}` }));
    await owner.products.putMany(store_id, inputs);
    const stored = await listed(store_id);

    for (const format of ["csv", "jsonl"] as const) {
      shop.advance(60_000);
      const { body } = await owner.export("products", {
        store_id,
        format,
        bom: format === "csv" ? true : null,
      });
      expect(await owner.products.import({ store_id, format, body })).toEqual({
        ...nothing,
        unchanged: 61,
      });
      expect(await listed(store_id)).toEqual(stored);
    }

    const { body } = await owner.export("products", { store_id, format: "csv" });
    const other = shop.b.id;
    await owner.products.delete(other, shop.foreign.id);
    const made = await owner.products.import({ store_id: other, format: "csv", body });
    expect(made).toEqual({ ...nothing, created: 61 });
    const withoutTimes = (rows: Awaited<ReturnType<typeof listed>>) =>
      rows.map(({ created_at, updated_at, ...rest }) => rest);
    expect(withoutTimes(await listed(other))).toEqual(withoutTimes(stored));
  });

  test("as a dry run tells the counts of the import, chunk by chunk, and stores nothing", async () => {
    const rows = Array.from({ length: 250 }, (_, at) => `prod_new${at},New ${at},${at},BRL`);
    const [stored] = await listed(store_id);
    const body = ["id,name,price,currency", `${stored?.id},,7,`, ...rows, "prod_x,X,-1,BRL"].join(
      "\n",
    );
    const before = await listed(store_id);
    const told: unknown[] = [];
    const input = { store_id, format: "csv", body } as const;
    const onProgress = (counts: unknown): void => void told.push(counts);
    const planned = await owner.products.import({ ...input, dry_run: true, onProgress });
    expect(told).toMatchObject([
      { created: 199, updated: 1, unchanged: 0, refused: 0 },
      {
        created: 250,
        updated: 1,
        unchanged: 0,
        refused: 1,
        outcomes: expect.arrayContaining([
          expect.objectContaining({ line: 253, outcome: "refused", column: "price" }),
          expect.objectContaining({ line: 252, outcome: "created", slug: "new-249", fields: [] }),
        ]),
      },
    ]);
    expect(told[0]).toMatchObject({
      outcomes: expect.arrayContaining([
        expect.objectContaining({ line: 2, outcome: "updated", fields: ["price"] }),
      ]),
    });
    expect(await listed(store_id)).toEqual(before);
    expect(await owner.products.import(input)).toEqual(planned);
    const again = await owner.products.import(input);
    expect(again).toEqual({ ...planned, created: 0, updated: 0, unchanged: 251 });
  });

  test("ends where onProgress throws, and what was stored stays stored", async () => {
    const rows = Array.from({ length: 250 }, (_, at) => `prod_new${at},New ${at},${at},BRL`);
    const body = ["id,name,price,currency", ...rows].join("\n");
    const onProgress = (): void => {
      throw new Error("stop");
    };
    const stopped = owner.products.import({ store_id, format: "csv", body, onProgress });
    await expect(stopped).rejects.toThrow("stop");
    const again = await owner.products.import({ store_id, format: "csv", body });
    expect(again).toMatchObject({ created: 50, unchanged: 200 });
  });

  async function listed(store: string) {
    const text = await textOf(
      (await owner.export("products", { store_id: store, format: "jsonl" })).body,
    );
    return (text ?? "")
      .split("\n")
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line));
  }

  test("changes the given fields alone, and gives back no stock that was sold", async () => {
    const category = await owner.categories.create(store_id, { name: "Tea" });
    const before = await owner.products.put(store_id, {
      id: "prod_a",
      name: "A",
      description: "Old",
      price: 100,
      currency: "BRL",
      category_ids: [category.id],
      stock: 4,
    });
    await shop.buy({ items: [{ product_id: "prod_a", quantity: 2 }] });

    expect(await csv("id,price,description,stock", "prod_a,200,,4")).toEqual({
      ...nothing,
      updated: 1,
    });
    const { updated_at, ...after } = await owner.products.retrieve(store_id, "prod_a");
    expect({ ...after, updated_at: before.updated_at }).toEqual({
      ...before,
      price: 200,
      description: null,
    });
    // Two of the four were sold.
    expect(await stockOf()).toBe(400);
    expect((await csv("id,stock", "prod_a,5")).updated).toBe(1);
    expect(await stockOf()).toBe(201);
  });

  test("finds products by slug where rows have no id, so that a file can be imported again", async () => {
    const header = "slug,name,price,currency";
    const rows = Array.from({ length: 450 }, (_, at) => `mug-${at},Mug ${at},100,BRL`);
    expect(await csv(header, ...rows.slice(0, 250))).toMatchObject({ created: 250, faults: [] });
    const again = await csv(header, ...rows);
    expect(again).toMatchObject({ created: 200, unchanged: 250, faults: [], complete: true });
    expect(await csv("slug,price", "mug-1,300")).toMatchObject({ created: 0, updated: 1 });

    // Rows that name one product differently are stored one after the other.
    const [mug] = (await owner.products.list(store_id, { search: "mug-1", limit: 1 })).data;
    const both = await csv("id,slug,name,price", `${mug?.id},,,700`, `,${mug?.slug},Cup,`);
    expect(both).toMatchObject({ updated: 2, faults: [] });
    expect(await owner.products.retrieve(store_id, mug?.id ?? "")).toMatchObject({
      name: "Cup",
      price: 700,
    });
    const twice = await csv(header, "new,First,1,BRL", "new,Second,2,BRL");
    expect(twice).toMatchObject({ created: 1, updated: 1, faults: [] });
    // So are a new product and the row that names it by the slug that it gets.
    const named = await csv(
      `id,${header}`,
      ...["prod_x,x,First,1,BRL", ",x,Second,2,BRL", "prod_y,y,First,1,BRL", ",y,Second,2,BRL"],
    );
    expect(named).toMatchObject({ created: 2, updated: 2, faults: [] });
    expect(await owner.products.retrieve(store_id, "prod_y")).toMatchObject({ name: "Second" });
  });

  test("tells wrong rows by line and field, and stores the others", async () => {
    await owner.products.put(store_id, {
      id: "prod_a",
      slug: "taken",
      name: "A",
      price: 1,
      currency: "BRL",
    });
    const result = await csv(
      "id,slug,name,price,currency,active,variables,category_ids",
      "prod_b,,B,100,BRL,TRUE,[],[]",
      "prod_c,,C,1.5,BRL,,,",
      'prod_d,,"two',
      'lines",abc,BRL,,,',
      "prod_e,taken,E,100,BRL,,,",
      ",,F,100,BRL,,,",
      "prod_g,,G,100,BRL,yes,,",
      'prod_h,,H,100,BRL,,"[{""key"":1}]",',
      'prod_i,,I,100,BRL,,,"[""cat_none""]"',
      "prod_j,,J,100",
      "prod_k,,,100,BRL,,,",
      "prod_b,,B again,100,BRL,,,",
    );
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 0, complete: true });
    expect(result.faults).toEqual([
      { line: 3, field: "price", message: "price must be a whole number." },
      { line: 4, field: "price", message: "price must be a number." },
      { line: 6, field: "slug", message: "slug is taken by another product." },
      { line: 7, field: "id", message: "id or slug is required." },
      { line: 8, field: "active", message: "active must be true or false." },
      {
        line: 9,
        field: "variables[0].key",
        message: expect.stringMatching(/^variables\[0\]\.key /),
      },
      {
        line: 10,
        field: "category_ids",
        message: "category_ids names a category that this store does not have.",
      },
      { line: 11, field: null, message: "The row has 4 cells, and the header has 8." },
      { line: 12, field: "name", message: "name is required." },
    ]);
    expect((await owner.products.retrieve(store_id, "prod_b")).name).toBe("B again");
  });

  test("takes a product again that another call has changed meanwhile", async () => {
    await owner.products.put(store_id, { id: "prod_a", name: "A", price: 1, currency: "BRL" });
    const find = shop.storage.catalog.findProductRecords;
    shop.storage.catalog.findProductRecords = async (store, ids) => {
      const found = await find.call(shop.storage.catalog, store, ids);
      shop.storage.catalog.findProductRecords = find;
      await owner.products.update(store_id, "prod_a", { name: "Changed" });
      return found;
    };
    expect(await csv("id,price", "prod_a,7")).toEqual({ ...nothing, updated: 1 });
    const { name, price } = await owner.products.retrieve(store_id, "prod_a");
    expect([name, price]).toEqual(["Changed", 7]);
  });
});

describe("an import", () => {
  const open = async () => {
    const shop = await createShop(memoryStorage());
    const { store_id } = { store_id: shop.a.id };
    const load = (body: unknown, format = "csv"): Promise<ImportedProducts> =>
      shop.owner.products.import({ store_id, format, body } as never);
    return { shop, store_id, load };
  };

  test("refuses a header and an input that are wrong, before anything is stored", async () => {
    const { shop, store_id, load } = await open();
    for (const [body, message] of [
      ["", "body must begin with a header."],
      ["id;price;name\r\n", "body must have columns that are separated by commas."],
      ["id,id\r\n", 'body has the column "id" twice.'],
      ["id,pryce\r\n", 'body has the column "pryce", which no product has: did you mean price?.'],
      [7, "body must be text, or an AsyncIterable of text or bytes."],
    ] as const)
      expect(await thrownBy(load(body))).toMatchObject({
        code: "parameter_invalid",
        param: "body",
        message,
      });
    expect(await thrownBy(load("id", "xlsx"))).toMatchObject({ param: "format" });
    const unknown = { store_id: "str_none", format: "csv", body: "id" } as const;
    expect(await thrownBy(shop.owner.products.import(unknown))).toMatchObject({
      code: "resource_not_found",
      param: "store_id",
    });
    expect((await shop.owner.products.list(store_id)).data).toHaveLength(1);
  });

  test("ends where the text cannot be read, and tells the line; the rows before are stored", async () => {
    const { load } = await open();
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => `p-${at},Name,1,BRL\r\n`).join("");
    const header = "slug,name,price,currency\r\n";

    const openQuote = await load(`${header}${rows(3)}p-x,"Name,1,BRL\r\n${rows(2)}`);
    expect(openQuote).toEqual({
      ...nothing,
      created: 3,
      complete: false,
      faults: [
        {
          line: 5,
          field: null,
          message: "The text cannot be read any further: a quote is opened and never closed.",
        },
      ],
    });

    const bytes = new TextEncoder().encode(`${header}p-y,João,1,BRL\r\n`);
    async function* parts() {
      // Each letter comes alone, so that letters of two bytes come in halves.
      for (const byte of bytes) yield Uint8Array.of(byte);
      yield Uint8Array.of(0xff, 0x0a);
    }
    const broken = await load(parts());
    expect([broken.created, broken.complete, broken.faults]).toEqual([
      1,
      false,
      [{ line: 3, field: null, message: "The text cannot be read any further: it is not UTF-8." }],
    ]);
  });

  test("ends at the 100th wrong row", async () => {
    const { load } = await open();
    const rows = Array.from({ length: 500 }, () => '{"id":"prod_x"}\n');
    const { faults, complete } = await load(["[]\n", ...rows].join(""), "jsonl");
    expect([faults.length, complete, faults[0]]).toEqual([
      100,
      false,
      { line: 1, field: null, message: "The line is not a JSON object." },
    ]);
  });

  test("refuses rows whose slugs are taken at each try, however many", async () => {
    const { shop, load } = await open();
    let tries = 0;
    shop.storage.records.stepProducts = (async () => {
      if (++tries > 50) throw new Error("The import never ends.");
      return { outcome: "slug_taken", index: 0 };
    }) as never;
    const { faults } = await load("slug,name,price,currency\na,A,1,BRL\nb,B,1,BRL\nc,C,1,BRL\n");
    expect(faults.map(({ line, field }) => [line, field])).toEqual([
      [2, "slug"],
      [3, "slug"],
      [4, "slug"],
    ]);
  });

  test("reads no further than it stores", async () => {
    const { shop, load } = await open();
    const { records } = shop.storage;
    const step = records.stepProducts;
    const readAtPut: number[] = [];
    let read = 0;
    records.stepProducts = (...args) => {
      readAtPut.push(read);
      return step.apply(records, args) as never;
    };
    async function* parts() {
      yield "slug,name,price,currency\n";
      for (; read < 500; read += 1) yield `p-${read},Name,1,BRL\n`;
    }
    expect((await load(parts())).created).toBe(500);
    expect(readAtPut).toEqual([199, 399, 500]);
  });
});
