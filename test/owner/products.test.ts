import { beforeEach, expect, test } from "vitest";
import { type Bench, createBench, createShop, refusalOf } from "./bench.ts";

let bench: Bench;
let store_id: string;
beforeEach(async () => {
  bench = createBench();
  store_id = await createShop(bench);
});

const mug = { name: "Caneca Açaí", price: 4990, currency: "BRL" };
const publicDocument = async (slug: string) => {
  const found = await bench.storage.catalog.findProduct({ store_id, livemode: true }, slug);
  return found && (JSON.parse(found.document) as Record<string, unknown>);
};
const version = async () =>
  (await bench.storage.access.findStore(store_id))?.catalog_version ?? Number.NaN;

test("a product needs a name, a price and a currency; all else has a default", async () => {
  const product = await bench.products.create(store_id, mug);
  expect(product).toEqual({
    id: expect.stringMatching(/^prod_/),
    slug: "caneca-acai",
    name: "Caneca Açaí",
    description: null,
    images: [],
    price: 4990,
    compare_at_price: null,
    currency: "BRL",
    promotion: null,
    category_ids: [],
    variables: [],
    recurring: null,
    max_quantity: null,
    active: true,
    blocked: false,
    stock: null,
    delivery: null,
    position: 0,
    created_at: "2026-01-02T03:04:05.006Z",
    updated_at: "2026-01-02T03:04:05.006Z",
  });
  expect(await publicDocument("caneca-acai")).toMatchObject({ id: product.id, available: true });
  expect(await bench.products.retrieve(store_id, product.id)).toEqual(product);
});

test("every field of a product comes back as it was given", async () => {
  const category = await bench.categories.create(store_id, { name: "Copos" });
  const full = {
    ...mug,
    slug: "caneca",
    description: "Cerâmica",
    images: ["https://cdn.example.com/a.png", "/img/b.png"],
    compare_at_price: 5990,
    promotion: { discount_type: "percentage", discount_amount: 12.5 },
    category_ids: [category.id],
    variables: [
      {
        key: "email",
        label: "E-mail",
        type: "text",
        required: true,
        pattern: "[a-z]+@[a-z.]+",
        max_length: 100,
        options: [],
      },
      {
        key: "size",
        label: "Size",
        type: "select",
        required: false,
        pattern: null,
        max_length: null,
        options: [{ value: "s", label: "Small" }],
      },
    ],
    recurring: { interval: "month", interval_count: 3 },
    max_quantity: 5,
    active: true,
    blocked: true,
    stock: 7,
    position: -3,
  } as const;
  expect(await bench.products.create(store_id, full)).toMatchObject(full);
});

test("update merges its changes into the stored product and leaves the stock that it does not name", async () => {
  const { id } = await bench.products.create(store_id, { ...mug, stock: 3, description: "Old" });
  bench.advance(1000);
  const updated = await bench.products.update(store_id, id, {
    price: 100,
    description: null,
    slug: undefined,
  });
  expect(updated).toMatchObject({
    slug: "caneca-acai",
    name: "Caneca Açaí",
    price: 100,
    description: null,
    stock: 3,
  });
  expect(updated.created_at).toBe("2026-01-02T03:04:05.006Z");
  expect(updated.updated_at).toBe("2026-01-02T03:04:06.006Z");
});

test("put creates by the host's id, then replaces: defaults come back, slug, stock and creation time stay", async () => {
  const put = { ...mug, id: "prod_sku-7" };
  const first = await bench.products.put(store_id, {
    ...put,
    description: "Old",
    stock: 3,
    slug: "mug",
  });
  bench.advance(1000);
  const second = await bench.products.put(store_id, { ...put, name: "Mug" });
  expect(second).toMatchObject({
    id: "prod_sku-7",
    name: "Mug",
    slug: "mug",
    description: null,
    stock: 3,
    created_at: first.created_at,
  });
  expect((await bench.products.put(store_id, { ...put, stock: null })).stock).toBeNull();
});

test("putMany is one transaction: the catalog version grows by one, and one wrong input stores nothing", async () => {
  const before = await version();
  const stored = await bench.products.putMany(store_id, [
    mug,
    { ...mug, name: "Prato", id: "prod_plate" },
    mug,
  ]);
  expect(await version()).toBe(before + 1);
  expect(stored.map(({ slug }) => slug)).toEqual([
    "caneca-acai",
    "prato",
    expect.stringMatching(/^caneca-acai-[a-z0-9]{8}$/),
  ]);
  expect((await bench.products.list(store_id)).data).toHaveLength(3);

  const taken = [
    { ...mug, name: "Novo" },
    { ...mug, slug: "prato" },
  ];
  expect(await refusalOf(() => bench.products.putMany(store_id, taken))).toMatchObject({
    code: "parameter_invalid",
    param: "products[1].slug",
  });
  const homeless = [
    { ...mug, name: "Novo" },
    { ...mug, category_ids: ["cat_none"] },
  ];
  expect(await refusalOf(() => bench.products.putMany(store_id, homeless))).toMatchObject({
    code: "resource_not_found",
    param: "products[1].category_ids",
  });
  const unpriced = [mug, { name: "Novo", currency: "BRL" }] as (typeof mug)[];
  expect(await refusalOf(() => bench.products.putMany(store_id, unpriced))).toMatchObject({
    code: "parameter_missing",
    param: "products[1].price",
  });
  const twice = [{ ...mug, id: "prod_a" }, mug, { ...mug, id: "prod_a" }];
  expect(await refusalOf(() => bench.products.putMany(store_id, twice))).toMatchObject({
    param: "products[2].id",
  });
  expect((await bench.products.list(store_id)).data).toHaveLength(3);
  expect(await version()).toBe(before + 1);
});

test.each([
  ["Café da Manhã", "cafe-da-manha"],
  ["  100% Algodão -- P/M ", "100-algodao-p-m"],
  ["Straße", "strasse"],
  [`${"a".repeat(99)} b`, "a".repeat(99)],
])("the name %j makes the slug %j", async (name, slug) => {
  expect((await bench.products.create(store_id, { ...mug, name })).slug).toBe(slug);
});

test("a name without Latin letters still makes a slug", async () => {
  expect((await bench.products.create(store_id, { ...mug, name: "日本茶" })).slug).toMatch(
    /^item-[a-z0-9]{8}$/,
  );
});

test("a taken slug that was made from the name gets a suffix; a taken slug that was chosen is refused", async () => {
  await bench.products.create(store_id, mug);
  expect((await bench.products.create(store_id, mug)).slug).toMatch(/^caneca-acai-[a-z0-9]{8}$/);
  const refusal = await refusalOf(() =>
    bench.products.create(store_id, { ...mug, slug: "caneca-acai" }),
  );
  expect(refusal).toMatchObject({ code: "parameter_invalid", param: "slug" });
});

test("a draft is seen by its owner only", async () => {
  const { id } = await bench.products.create(store_id, { ...mug, active: false });
  expect(await publicDocument(id)).toBeNull();
  expect((await bench.products.list(store_id)).data.map((product) => product.id)).toEqual([id]);
});

test("a deleted product is gone, and a second deletion says so", async () => {
  const { id } = await bench.products.create(store_id, mug);
  await bench.products.delete(store_id, id);
  expect(await refusalOf(() => bench.products.retrieve(store_id, id))).toMatchObject({
    code: "resource_not_found",
    param: "id",
  });
  expect(await refusalOf(() => bench.products.delete(store_id, id))).toMatchObject({
    code: "resource_not_found",
    param: "id",
  });
});

test("a product of another store is not found", async () => {
  const other = await bench.stores.create({ name: "Other", currency: "BRL" });
  const { id } = await bench.products.create(store_id, mug);
  expect(await refusalOf(() => bench.products.update(other.id, id, { price: 1 }))).toMatchObject({
    code: "resource_not_found",
    param: "id",
  });
});

test("each write clears the store's caches", async () => {
  bench.changed.length = 0;
  const { id } = await bench.products.create(store_id, mug);
  await bench.products.update(store_id, id, { price: 1 });
  await bench.products.delete(store_id, id);
  expect(bench.changed).toEqual([store_id, store_id, store_id]);
});

const text = { key: "k", label: "L", type: "text" };
const select = { key: "k", label: "L", type: "select" };
const option = { value: "a", label: "A" };
const cases: readonly [what: string, changes: object, code: string, param: string][] = [
  ["no price", { price: undefined }, "parameter_missing", "price"],
  ["a fractional price", { price: 49.9 }, "parameter_invalid", "price"],
  ["a negative price", { price: -1 }, "parameter_invalid", "price"],
  ["a price beyond 2^53-1", { price: 2 ** 53 }, "parameter_invalid", "price"],
  ["a price as text", { price: "4990" }, "parameter_invalid", "price"],
  ["a price that is no number", { price: Number.NaN }, "parameter_invalid", "price"],
  ["a currency that does not exist", { currency: "QQQ" }, "parameter_invalid", "currency"],
  [
    "a script as a picture",
    { images: ["https://ok.example.com/a.png", "javascript:alert(1)"] },
    "parameter_invalid",
    "images[1]",
  ],
  [
    "a protocol-relative picture",
    { images: ["//evil.example.com/a.png"] },
    "parameter_invalid",
    "images[0]",
  ],
  [
    "a picture with a backslash",
    { images: ["/\\evil.example.com"] },
    "parameter_invalid",
    "images[0]",
  ],
  ["a slug with an underscore", { slug: "prod_1" }, "parameter_invalid", "slug"],
  [
    "a promotion of 101 percent",
    { promotion: { discount_type: "percentage", discount_amount: 101 } },
    "parameter_invalid",
    "promotion.discount_amount",
  ],
  [
    "a promotion of three decimals",
    { promotion: { discount_type: "percentage", discount_amount: 1.125 } },
    "parameter_invalid",
    "promotion.discount_amount",
  ],
  [
    "a promotion of half a cent",
    { promotion: { discount_type: "fixed", discount_amount: 0.5 } },
    "parameter_invalid",
    "promotion.discount_amount",
  ],
  ["a category twice", { category_ids: ["cat_1", "cat_1"] }, "parameter_invalid", "category_ids"],
  [
    "a category that does not exist",
    { category_ids: ["cat_1"] },
    "resource_not_found",
    "category_ids",
  ],
  [
    "a pattern with a group",
    { variables: [{ ...text, pattern: "(a+)+" }] },
    "parameter_invalid",
    "variables[0].pattern",
  ],
  [
    "a pattern with alternation",
    { variables: [{ ...text, pattern: "a|b" }] },
    "parameter_invalid",
    "variables[0].pattern",
  ],
  [
    "a pattern that repeats 501 times",
    { variables: [{ ...text, pattern: "a{1,501}" }] },
    "parameter_invalid",
    "variables[0].pattern",
  ],
  [
    "a select without options",
    { variables: [select] },
    "parameter_missing",
    "variables[0].options",
  ],
  [
    "a select with no option",
    { variables: [{ ...select, options: [] }] },
    "parameter_invalid",
    "variables[0].options",
  ],
  [
    "a select with one value twice",
    { variables: [{ ...select, options: [option, option] }] },
    "parameter_invalid",
    "variables[0].options",
  ],
  [
    "a select with a pattern",
    { variables: [{ ...select, options: [option], pattern: "a" }] },
    "parameter_invalid",
    "variables[0].pattern",
  ],
  [
    "a text with options",
    { variables: [{ ...text, options: [option] }] },
    "parameter_invalid",
    "variables[0].options",
  ],
  [
    "a variable without a label",
    { variables: [{ key: "k", type: "text" }] },
    "parameter_missing",
    "variables[0].label",
  ],
  [
    "a variable of unknown type",
    { variables: [{ ...text, type: "date" }] },
    "parameter_invalid",
    "variables[0].type",
  ],
  [
    "a variable that reaches for the prototype",
    { variables: [{ ...text, key: "__proto__" }] },
    "parameter_invalid",
    "variables[0].key",
  ],
  ["two variables of one key", { variables: [text, text] }, "parameter_invalid", "variables"],
  [
    "51 variables",
    { variables: Array.from({ length: 51 }, (_, i) => ({ ...text, key: `k${i}` })) },
    "parameter_invalid",
    "variables",
  ],
  [
    "a misspelt field of a variable",
    { variables: [{ ...text, maxlength: 3 }] },
    "parameter_invalid",
    "variables[0].maxlength",
  ],
  [
    "an unknown interval",
    { recurring: { interval: "hour", interval_count: 1 } },
    "parameter_invalid",
    "recurring.interval",
  ],
  [
    "an interval of zero",
    { recurring: { interval: "day", interval_count: 0 } },
    "parameter_invalid",
    "recurring.interval_count",
  ],
  ["a largest quantity of zero", { max_quantity: 0 }, "parameter_invalid", "max_quantity"],
  ["half a piece in stock", { stock: 0.5 }, "parameter_invalid", "stock"],
  ["stock below zero", { stock: -1 }, "parameter_invalid", "stock"],
  ["an id of its own, which only put takes", { id: "prod_1" }, "parameter_invalid", "id"],
  ["availability, which is never set", { available: true }, "parameter_invalid", "available"],
  ["a misspelt field", { prize: 1 }, "parameter_invalid", "prize"],
];

test.each(cases)(
  "a product with %s is refused at the call",
  async (_what, changes, code, param) => {
    const create = bench.products.create as (store_id: string, input: object) => Promise<unknown>;
    expect(await refusalOf(() => create(store_id, { ...mug, ...changes }))).toMatchObject({
      code,
      param,
    });
    expect((await bench.products.list(store_id)).data).toEqual([]);
  },
);

test("an update is checked like a creation", async () => {
  const { id } = await bench.products.create(store_id, mug);
  const update = bench.products.update as (
    store_id: string,
    id: string,
    changes: object,
  ) => Promise<unknown>;
  expect(await refusalOf(() => update(store_id, id, { price: 1.5 }))).toMatchObject({
    code: "parameter_invalid",
    param: "price",
  });
  expect(await refusalOf(() => update(store_id, id, { price: null }))).toMatchObject({
    code: "parameter_missing",
    param: "price",
  });
  expect(await refusalOf(() => update(store_id, id, { id: "prod_2" }))).toMatchObject({
    code: "parameter_invalid",
    param: "id",
  });
  expect((await bench.products.retrieve(store_id, id)).price).toBe(4990);
});
