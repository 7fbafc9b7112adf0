import { beforeEach, describe, expect, test } from "vitest";
import { type Bench, createBench, refusalOf } from "./bench.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});

test("a new store has the headless API off, no origins and no return URLs", async () => {
  const store = await bench.stores.create({ name: "Loja Açaí", currency: "BRL" });
  expect(store).toMatchObject({
    slug: "loja-acai",
    headless_enabled: false,
    maintenance: false,
    locale: "en",
    timezone: "UTC",
    country: null,
  });
  expect(store.id).toMatch(/^str_/);
  expect(store).not.toHaveProperty("catalog_version");
  expect(await bench.origins.list(store.id)).toEqual([]);
  expect(await bench.returnUrls.list(store.id)).toEqual([]);
});

test("a store is updated field by field, and null empties a field", async () => {
  const { id } = await bench.stores.create({
    name: "Loja",
    currency: "BRL",
    country: "BR",
    locale: "pt-br",
    timezone: "America/Sao_Paulo",
  });
  const updated = await bench.stores.update(id, {
    headless_enabled: true,
    country: null,
    name: undefined,
  });
  expect(updated).toMatchObject({
    name: "Loja",
    headless_enabled: true,
    country: null,
    locale: "pt-BR",
    timezone: "America/Sao_Paulo",
  });
  expect(await bench.stores.retrieve(id)).toEqual(updated);
  expect(bench.changed).toEqual([id, id]);
});

test("another store's slug: one made from the name gets a suffix, a chosen one is refused", async () => {
  await bench.stores.create({ name: "Loja", currency: "BRL" });
  const second = await bench.stores.create({ name: "Loja", currency: "BRL" });
  expect(second.slug).toMatch(/^loja-[a-z0-9]{8}$/);
  expect(
    await refusalOf(() => bench.stores.create({ name: "Outra", slug: "loja", currency: "BRL" })),
  ).toMatchObject({
    code: "parameter_invalid",
    param: "slug",
  });
});

test("a store of the host's own id is made once", async () => {
  const first = await bench.stores.create({ id: "str_tenant-7", name: "Loja", currency: "BRL" });
  const again = await bench.stores.create({ id: "str_tenant-7", name: "Loja", currency: "BRL" });
  expect(again).toEqual(first);
});

test("stores are listed by id, page by page", async () => {
  for (const name of ["A", "B", "C"]) await bench.stores.create({ name, currency: "EUR" });
  const first = await bench.stores.list({ limit: 2 });
  expect(first).toMatchObject({ has_more: true, data: [{ name: "A" }, { name: "B" }] });
  const second = await bench.stores.list({ limit: 2, starting_after: first.next_cursor });
  expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{ name: "C" }] });
});

const idsOf = async (query: object): Promise<string> => {
  const { data } = await bench.stores.list(query);
  return data.map(({ id }) => id.slice("str_".length)).join(" ");
};

test("stores are found by a part of the name, or by the beginning of the slug or id", async () => {
  const add = (id: string, name: string, slug: string) =>
    bench.stores.create({ id: `str_${id}`, name, slug, currency: "EUR" });
  await add("a", "Padaria São João", "bread");
  await add("b", "Ana's shoes", "sao");
  await add("c", "sao", "c-sao");

  expect(await idsOf({ search: "SAO" })).toBe("a b c");
  expect(await idsOf({ search: "sao" })).toBe("b a c");
  expect(await idsOf({ search: " joÃO " })).toBe("a");
  expect(await idsOf({ search: "brea" })).toBe("a");
  expect(await idsOf({ search: "read" })).toBe("");
  expect(await idsOf({ search: "str_" })).toBe("a b c");
  expect(await idsOf({ search: "str_c" })).toBe("c");
  expect(await idsOf({ search: "%" })).toBe("");
});

test("pages of a search neither repeat nor miss a store", async () => {
  for (let index = 0; index < 620; index += 1)
    await bench.stores.create({ id: `str_${1000 + index}`, name: "Loja", currency: "EUR" });
  for (const id of ["str_1002", "str_1003", "str_1610"])
    await bench.stores.update(id, { name: "Rosa" });
  await bench.stores.create({ id: "str_z", name: "Other", slug: "rosa", currency: "EUR" });

  const found: string[] = [];
  let starting_after: string | null = null;
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await bench.stores.list({ search: "rosa", limit: 1, starting_after });
    found.push(...page.data.map(({ id }) => id));
    starting_after = page.next_cursor;
    if (starting_after === null) break;
  }
  expect(found).toEqual(["str_z", "str_1002", "str_1003", "str_1610"]);
});

test("one page of a search looks at 5,000 stores, and the next one goes on", async () => {
  for (let index = 0; index < 5_001; index += 1)
    await bench.stores.create({ id: `str_${10_000 + index}`, slug: `s-${index}`, ...good });
  await bench.stores.update("str_15000", { name: "Rosa" });

  const first = await bench.stores.list({ search: "rosa" });
  expect(first).toEqual({ data: [], has_more: true, next_cursor: "str_14999" });
  const second = await bench.stores.list({ search: "rosa", starting_after: first.next_cursor });
  expect(second).toMatchObject({ has_more: false, data: [{ id: "str_15000" }] });
});

test.each(["", "  ", "a".repeat(201), 7])("a search for %j is refused", async (search) => {
  const list = bench.stores.list as (query: unknown) => Promise<unknown>;
  expect(await refusalOf(() => list({ search }))).toMatchObject({ param: "search" });
});

const good = { name: "Loja", currency: "BRL" };
const cases: readonly [what: string, input: unknown, code: string, param: string][] = [
  ["nothing at all", undefined, "parameter_missing", "input"],
  ["no name", { currency: "BRL" }, "parameter_missing", "name"],
  ["a null name", { ...good, name: null }, "parameter_missing", "name"],
  ["a blank name", { ...good, name: "  " }, "parameter_invalid", "name"],
  ["a name that is no text", { ...good, name: 7 }, "parameter_invalid", "name"],
  ["a name with NUL", { ...good, name: "a\u0000b" }, "parameter_invalid", "name"],
  ["a name with half a surrogate pair", { ...good, name: "a\ud800b" }, "parameter_invalid", "name"],
  ["a name of 201 characters", { ...good, name: "a".repeat(201) }, "parameter_invalid", "name"],
  ["no currency", { name: "Loja" }, "parameter_missing", "currency"],
  ["a currency in lower case", { ...good, currency: "brl" }, "parameter_invalid", "currency"],
  ["a currency that does not exist", { ...good, currency: "QQQ" }, "parameter_invalid", "currency"],
  ["a country that does not exist", { ...good, country: "ZZ" }, "parameter_invalid", "country"],
  ["a country of three letters", { ...good, country: "BRA" }, "parameter_invalid", "country"],
  ["a locale that is none", { ...good, locale: "not a locale" }, "parameter_invalid", "locale"],
  [
    "a time zone that is none",
    { ...good, timezone: "Mars/Olympus" },
    "parameter_invalid",
    "timezone",
  ],
  [
    "a script as a URL",
    { ...good, website_url: "javascript:alert(1)" },
    "parameter_invalid",
    "website_url",
  ],
  ["a relative URL", { ...good, terms_url: "/terms" }, "parameter_invalid", "terms_url"],
  [
    "a protocol-relative logo",
    { ...good, logo_url: "//evil.example/x.png" },
    "parameter_invalid",
    "logo_url",
  ],
  [
    "an e-mail without a domain",
    { ...good, support_email: "help@" },
    "parameter_invalid",
    "support_email",
  ],
  ["a slug with capitals", { ...good, slug: "Loja" }, "parameter_invalid", "slug"],
  ["an id without its prefix", { ...good, id: "tenant-7" }, "parameter_invalid", "id"],
  ["a misspelt field", { ...good, curency: "BRL" }, "parameter_invalid", "curency"],
  [
    "a field that only an update takes",
    { ...good, maintenance: true },
    "parameter_invalid",
    "maintenance",
  ],
];

test.each(cases)("a store with %s is refused at the call", async (_what, input, code, param) => {
  const create = bench.stores.create as (input: unknown) => Promise<unknown>;
  expect(await refusalOf(() => create(input))).toMatchObject({ code, param });
  expect((await bench.stores.list()).data).toEqual([]);
});

test("a refusal never repeats the value", async () => {
  const { message } = await refusalOf(() =>
    bench.stores.create({ name: "Loja", currency: "hk_live_sec_x" }),
  );
  expect(message).toBe("currency must be an ISO 4217 code of three capital letters.");
});

test("an unknown store is resource_not_found with param store_id, whatever is asked of it", async () => {
  const calls = [
    () => bench.stores.retrieve("str_none"),
    () => bench.stores.update("str_none", { name: "x" }),
    () => bench.keys.create({ store_id: "str_none", livemode: false, kind: "secret" }),
    () => bench.keys.list("str_none"),
    () => bench.keys.revoke("str_none", "key_none"),
    () => bench.origins.add("str_none", "https://shop.example.com"),
    () => bench.origins.remove("str_none", "https://shop.example.com"),
    () => bench.origins.list("str_none"),
    () => bench.products.create("str_none", { name: "x", price: 1, currency: "BRL" }),
    () => bench.products.putMany("str_none", []),
    () => bench.products.update("str_none", "prod_none", { name: "x" }),
    () => bench.products.list("str_none"),
    () => bench.products.delete("str_none", "prod_none"),
    () => bench.categories.create("str_none", { name: "x" }),
    () => bench.categories.list("str_none"),
    () =>
      bench.paymentMethods.create("str_none", { type: "pix", name: "Pix", currencies: ["BRL"] }),
    () => bench.paymentMethods.list("str_none"),
    () =>
      bench.coupons.create("str_none", {
        code: "X",
        discount_type: "percentage",
        discount_amount: 10,
      }),
    () => bench.coupons.list("str_none"),
    () => bench.alerts.list("str_none"),
  ];
  for (const call of calls)
    expect(await refusalOf(call)).toMatchObject({ code: "resource_not_found", param: "store_id" });
});

test("the page size of a list is 1 to 100, never clamped", async () => {
  for (const limit of [0, 101, 1.5])
    expect(await refusalOf(() => bench.stores.list({ limit }))).toMatchObject({
      code: "parameter_invalid",
      param: "limit",
    });
});

describe("a store that is created with all that it needs", () => {
  const input = {
    id: "str_1",
    name: "Loja",
    currency: "BRL",
    headless_enabled: true,
    localhost_origins: true,
    origins: ["https://SHOP.example.com", "https://shop.example.com"],
    return_urls: ["https://shop.example.com/thanks", "https://shop.example.com/cart"],
    payment_methods: [
      { type: "pix", name: "Pix", currencies: ["BRL"] },
      { type: "boleto", name: "Boleto", currencies: ["BRL"], id: "pm_b" },
    ],
  } as const;

  test("has its settings, addresses and payment methods at once", async () => {
    const store = await bench.stores.create(input);
    expect(store).toMatchObject({ headless_enabled: true, localhost_origins: true });
    expect(await bench.origins.list("str_1")).toEqual(["https://shop.example.com"]);
    expect(await bench.returnUrls.list("str_1")).toEqual(input.return_urls);
    const methods = await bench.paymentMethods.list("str_1");
    expect(methods.map(({ type, settlement }) => [type, settlement]).sort()).toEqual([
      ["boleto", "delayed"],
      ["pix", "instant"],
    ]);
  });

  test("is not there when one part is refused, which is named", async () => {
    const refused = async (part: object) => {
      const { code, param } = await refusalOf(() => bench.stores.create({ ...input, ...part }));
      return [code, param];
    };
    const pix = { type: "pix", name: "Pix", currencies: ["BRL"] };
    expect(await refused({ origins: ["https://a.example", "ftp://b.example"] })).toEqual([
      "invalid_origin",
      "origins[1]",
    ]);
    expect(await refused({ return_urls: ["javascript:alert(1)"] })).toEqual([
      "invalid_return_url",
      "return_urls[0]",
    ]);
    expect(await refused({ payment_methods: [{ ...pix, type: "coins" }] })).toEqual([
      "parameter_invalid",
      "payment_methods[0].type",
    ]);
    expect(
      await refused({ payment_methods: [pix, { ...pix, min_amount: 2, max_amount: 1 }] }),
    ).toEqual(["parameter_invalid", "payment_methods[1].max_amount"]);
    const twice = [
      { ...pix, id: "pm_1" },
      { ...pix, id: "pm_1" },
    ];
    expect(await refused({ payment_methods: twice })).toEqual([
      "parameter_invalid",
      "payment_methods",
    ]);
    expect((await bench.stores.list()).data).toEqual([]);
  });

  test("a repeat with its id gives the first store and adds nothing", async () => {
    await bench.stores.create(input);
    await bench.stores.create({ ...input, name: "Other", origins: [], payment_methods: [] });
    expect((await bench.stores.retrieve("str_1")).name).toBe("Loja");
    expect(await bench.origins.list("str_1")).toHaveLength(1);
    expect(await bench.paymentMethods.list("str_1")).toHaveLength(2);
  });
});
