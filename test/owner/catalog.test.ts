import { beforeEach, expect, test } from "vitest";
import { type Bench, createBench, createShop, refusalOf } from "./bench.ts";

let bench: Bench;
let store_id: string;
beforeEach(async () => {
  bench = createBench();
  store_id = await createShop(bench);
});

test("a disabled category is seen by its owner only", async () => {
  const shown = await bench.categories.create(store_id, { name: "Chás", position: 2 });
  const hidden = await bench.categories.create(store_id, {
    name: "Cafés",
    parent_id: shown.id,
    enabled: false,
  });
  expect(shown).toMatchObject({ slug: "chas", parent_id: null, enabled: true });
  expect((await bench.storage.catalog.listCategories(store_id)).map(({ id }) => id)).toEqual([
    shown.id,
  ]);
  expect((await bench.categories.list(store_id)).map(({ id }) => id).sort()).toEqual(
    [shown.id, hidden.id].sort(),
  );
  expect(await bench.categories.retrieve(store_id, hidden.id)).toEqual(hidden);
});

test("a category is never its own ancestor", async () => {
  const a = await bench.categories.create(store_id, { name: "A" });
  const b = await bench.categories.create(store_id, { name: "B", parent_id: a.id });
  const c = await bench.categories.create(store_id, { name: "C", parent_id: b.id });
  for (const parent of [a, b, c]) {
    const refusal = await refusalOf(() =>
      bench.categories.update(store_id, a.id, { parent_id: parent.id }),
    );
    expect(refusal).toMatchObject({ code: "parameter_invalid", param: "parent_id" });
  }
  expect(await bench.categories.update(store_id, c.id, { parent_id: a.id })).toMatchObject({
    parent_id: a.id,
    name: "C",
  });
});

test("a category's parent must exist and its slug be free", async () => {
  const { id } = await bench.categories.create(store_id, { name: "A" });
  expect(
    await refusalOf(() => bench.categories.create(store_id, { name: "B", parent_id: "cat_none" })),
  ).toMatchObject({
    code: "resource_not_found",
    param: "parent_id",
  });
  expect(
    await refusalOf(() => bench.categories.create(store_id, { name: "B", slug: "a" })),
  ).toMatchObject({ param: "slug" });
  expect(
    await refusalOf(() => bench.categories.create(store_id, { id: "cat_x y", name: "B" })),
  ).toMatchObject({ param: "id" });
  expect((await bench.categories.create(store_id, { name: "A" })).slug).toMatch(/^a-[a-z0-9]{8}$/);
  expect(await bench.categories.update(store_id, id, { name: "Z" })).toMatchObject({
    slug: "a",
    name: "Z",
  });
});

test("a deleted category leaves its products", async () => {
  const { id } = await bench.categories.create(store_id, { name: "A" });
  const product = await bench.products.create(store_id, {
    name: "P",
    price: 1,
    currency: "BRL",
    category_ids: [id],
  });
  await bench.categories.delete(store_id, id);
  expect((await bench.products.retrieve(store_id, product.id)).category_ids).toEqual([]);
  expect(await refusalOf(() => bench.categories.delete(store_id, id))).toMatchObject({
    code: "resource_not_found",
    param: "id",
  });
});

const pix = { type: "pix", name: "Pix", currencies: ["BRL"] } as const;

test("a payment method is kept with its defaults, updated and deleted", async () => {
  const method = await bench.paymentMethods.create(store_id, pix);
  expect(method).toMatchObject({
    ...pix,
    settlement: "instant",
    enabled: true,
    gateway: null,
    supports_recurring: false,
    min_amount: null,
  });
  expect(method).not.toHaveProperty("store_id");
  const boleto = await bench.paymentMethods.create(store_id, {
    type: "boleto",
    name: "Boleto",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  expect(boleto).toMatchObject({ settlement: "delayed", gateway: "sandbox" });
  const updated = await bench.paymentMethods.update(store_id, method.id, {
    min_amount: 500,
    enabled: false,
  });
  expect(updated).toEqual({ ...method, min_amount: 500, enabled: false });
  expect(await bench.paymentMethods.retrieve(store_id, method.id)).toEqual(updated);
  await bench.paymentMethods.delete(store_id, method.id);
  expect((await bench.paymentMethods.list(store_id)).map(({ id }) => id)).toEqual([boleto.id]);
});

const methodCases: readonly [what: string, changes: object, code: string, param: string][] = [
  ["an unknown type", { type: "cash" }, "parameter_invalid", "type"],
  ["no currency", { currencies: [] }, "parameter_invalid", "currencies"],
  ["a currency twice", { currencies: ["BRL", "BRL"] }, "parameter_invalid", "currencies"],
  ["a wrong currency", { currencies: ["BRL", "real"] }, "parameter_invalid", "currencies[1]"],
  [
    "a largest amount below the smallest",
    { min_amount: 2, max_amount: 1 },
    "parameter_invalid",
    "max_amount",
  ],
  ["an unknown settlement", { settlement: "soon" }, "parameter_invalid", "settlement"],
  ["a misspelt field", { icon: "/pix.svg" }, "parameter_invalid", "icon"],
];
test.each(methodCases)(
  "a payment method with %s is refused at the call",
  async (_what, changes, code, param) => {
    const create = bench.paymentMethods.create as (
      store_id: string,
      input: object,
    ) => Promise<unknown>;
    expect(await refusalOf(() => create(store_id, { ...pix, ...changes }))).toMatchObject({
      code,
      param,
    });
  },
);

const ten = { code: "TEN", discount_type: "percentage", discount_amount: 10 } as const;

test("a coupon's code is kept as NFKC, trimmed, upper case, and is taken in any spelling", async () => {
  const coupon = await bench.coupons.create(store_id, { ...ten, code: "  ｓummer10 " });
  expect(coupon.code).toBe("SUMMER10");
  const { coupon: found } = await bench.storage.checkout.loadCart(
    { store_id, livemode: false },
    [],
    "SUMMER10",
  );
  expect(found?.id).toBe(coupon.id);
  expect(
    await refusalOf(() => bench.coupons.create(store_id, { ...ten, code: "Summer10" })),
  ).toMatchObject({
    code: "parameter_invalid",
    param: "code",
  });
});

test("a coupon's times are taken as Date, text with an offset or milliseconds", async () => {
  const time = Date.UTC(2026, 5, 1, 12);
  for (const [i, starts_at] of [
    new Date(time),
    "2026-06-01T09:00:00-03:00",
    "2026-06-01T12:00:00Z",
    time,
  ].entries()) {
    const coupon = await bench.coupons.create(store_id, {
      ...ten,
      code: `C${i}`,
      starts_at,
      ends_at: time + 1,
    });
    expect(coupon).toMatchObject({
      starts_at: "2026-06-01T12:00:00.000Z",
      ends_at: "2026-06-01T12:00:00.001Z",
    });
  }
});

test("a coupon is updated as a whole that stays right", async () => {
  const { id } = await bench.coupons.create(store_id, {
    ...ten,
    max_uses: 5,
    discount_amount: 12.25,
  });
  expect(
    await bench.coupons.update(store_id, id, { max_uses: null, enabled: false }),
  ).toMatchObject({
    max_uses: null,
    enabled: false,
    code: "TEN",
  });
  expect(await bench.coupons.retrieve(store_id, id)).toMatchObject({
    discount_amount: 12.25,
    enabled: false,
  });
  const refusal = await refusalOf(() =>
    bench.coupons.update(store_id, id, { discount_type: "fixed", discount_amount: 500 }),
  );
  expect(refusal).toMatchObject({ code: "parameter_missing", param: "currency" });
  const fixed = await bench.coupons.update(store_id, id, {
    discount_type: "fixed",
    discount_amount: 500,
    currency: "BRL",
  });
  expect(fixed).toMatchObject({ discount_type: "fixed", discount_amount: 500 });
  await bench.coupons.delete(store_id, id);
  expect(await refusalOf(() => bench.coupons.retrieve(store_id, id))).toMatchObject({
    code: "resource_not_found",
    param: "id",
  });
});

test("one coupon of many is found", async () => {
  const made = [];
  for (let i = 0; i < 230; i++)
    made.push(await bench.coupons.create(store_id, { ...ten, code: `C${i}` }));
  for (const i of [0, 99, 150, 229])
    expect(await bench.coupons.retrieve(store_id, made[i]?.id ?? "")).toEqual(made[i]);
  expect(await bench.coupons.list(store_id, { limit: 100 })).toMatchObject({
    has_more: true,
    next_cursor: made[99]?.id,
  });
});

const couponCases: readonly [what: string, changes: object, code: string, param: string][] = [
  ["no code", { code: null }, "parameter_missing", "code"],
  ["a blank code", { code: " \u00a0" }, "parameter_invalid", "code"],
  ["0 percent", { discount_amount: 0 }, "parameter_invalid", "discount_amount"],
  ["100.01 percent", { discount_amount: 100.01 }, "parameter_invalid", "discount_amount"],
  ["three decimals", { discount_amount: 33.333 }, "parameter_invalid", "discount_amount"],
  ["a tiny percentage", { discount_amount: 1e-7 }, "parameter_invalid", "discount_amount"],
  [
    "a fixed amount without a currency",
    { discount_type: "fixed", discount_amount: 500 },
    "parameter_missing",
    "currency",
  ],
  [
    "a fixed amount in parts of a cent",
    { discount_type: "fixed", discount_amount: 1.5, currency: "BRL" },
    "parameter_invalid",
    "discount_amount",
  ],
  [
    "a fixed amount below zero",
    { discount_type: "fixed", discount_amount: -1, currency: "BRL" },
    "parameter_invalid",
    "discount_amount",
  ],
  ["no product at all", { product_ids: [] }, "parameter_invalid", "product_ids"],
  ["a product twice", { product_ids: ["prod_1", "prod_1"] }, "parameter_invalid", "product_ids"],
  ["a day instead of a moment", { starts_at: "2026-06-01" }, "parameter_invalid", "starts_at"],
  [
    "a time without an offset",
    { starts_at: "2026-06-01T12:00:00" },
    "parameter_invalid",
    "starts_at",
  ],
  ["the 30th of February", { starts_at: "2026-02-30T12:00:00Z" }, "parameter_invalid", "starts_at"],
  ["a Date that is none", { ends_at: new Date("never") }, "parameter_invalid", "ends_at"],
  ["an end before its start", { starts_at: 2000, ends_at: 2000 }, "parameter_invalid", "ends_at"],
  ["no uses", { max_uses: 0 }, "parameter_invalid", "max_uses"],
  ["a misspelt field", { max_use: 1 }, "parameter_invalid", "max_use"],
];
test.each(couponCases)(
  "a coupon with %s is refused at the call",
  async (_what, changes, code, param) => {
    const create = bench.coupons.create as (store_id: string, input: object) => Promise<unknown>;
    expect(await refusalOf(() => create(store_id, { ...ten, ...changes }))).toMatchObject({
      code,
      param,
    });
    expect((await bench.coupons.list(store_id)).data).toEqual([]);
  },
);
