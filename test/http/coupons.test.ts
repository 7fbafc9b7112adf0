import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("coupons, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { coupons: null, checkout: null } });
  });
  const validate = (
    code: unknown,
    items: unknown = [{ product_id: shop.product.id, quantity: 1 }],
  ) => shop.post("/coupons/validate", { key: shop.a.test.pub, body: { code, items } });

  test("a valid coupon is answered with the amounts of this cart", async () => {
    expect(
      (await validate("SAVE10", [{ product_id: shop.product.id, quantity: 3 }])).body.data,
    ).toEqual({
      valid: true,
      message: expect.any(String),
      code: "SAVE10",
      discount: { discount_type: "percentage", discount_amount: 10 },
      amount_subtotal: 3000,
      amount_discount: 300,
      amount_total: 2700,
      currency: "BRL",
    });
  });

  test("every invalid coupon is answered with the same bytes, whatever the reason", async () => {
    const create = (code: string, changes: object) =>
      shop.owner.coupons.create(shop.a.id, {
        code,
        discount_type: "percentage",
        discount_amount: 5,
        ...changes,
      });
    await create("OLD", { ends_at: "2025-01-01T00:00:00Z" });
    await create("SOON", { starts_at: "2027-01-01T00:00:00Z" });
    await create("BIG", { currency: "BRL", min_subtotal: 1_000_000 });
    await create("DOLLAR", { currency: "USD" });
    await create("SCOPED", {
      product_ids: [
        (await shop.owner.products.create(shop.a.id, { name: "Other", price: 1, currency: "BRL" }))
          .id,
      ],
    });
    await create("ONCE", { max_uses: 1 });
    await shop.buy({ coupon_code: "ONCE" });
    const bodies = new Set<string>();
    for (const code of [
      "NOPE",
      "OLD",
      "SOON",
      "BIG",
      "DOLLAR",
      "SCOPED",
      "ONCE",
      "ONLYB",
      "%",
      "_",
      "SAVE1_",
      "' OR ''='",
    ]) {
      const { status, text, body } = await validate(code);
      expect(status).toBe(200);
      bodies.add((text ?? "").replace(body.request_id, ""));
    }
    const unknown = await validate("SAVE10", [{ product_id: "prod_x", quantity: 1 }]);
    bodies.add((unknown.text ?? "").replace(unknown.body.request_id, ""));
    expect(bodies.size).toBe(1);
    expect(Object.keys(unknown.body.data)).toEqual(["valid", "message"]);
  });

  test("a code is found however it is typed, in validation and at checkout", async () => {
    for (const code of ["save10", " SAVE10 ", "ＳＡＶＥ１０"]) {
      expect((await validate(code)).body.data).toMatchObject({ valid: true, code: "SAVE10" });
      expect((await shop.session({ coupon_code: code })).body.data).toMatchObject({
        coupon_code: "SAVE10",
        amount_total: 900,
      });
    }
  });

  test("a minimum subtotal is in the coupon's currency, else in the store's", async () => {
    const { coupons, products } = shop.owner;
    const create = (code: string, changes: object) =>
      coupons.create(shop.a.id, {
        code,
        discount_type: "percentage",
        discount_amount: 10,
        min_subtotal: 500,
        ...changes,
      });
    const { id } = await create("MIN", {});
    const dollars = await create("MINUSD", { min_subtotal_currency: "USD" });
    const price = { name: "Dollars", price: 90_000, currency: "USD" };
    const product = await products.create(shop.a.id, price);

    const isValid = async (code: string, product_id = shop.product.id) =>
      (await validate(code, [{ product_id, quantity: 1 }])).body.data.valid;
    expect([await isValid("MIN"), await isValid("MIN", product.id)]).toEqual([true, false]);
    expect([await isValid("MINUSD"), await isValid("MINUSD", product.id)]).toEqual([false, true]);

    expect(await coupons.retrieve(shop.a.id, id)).toMatchObject({ min_subtotal_currency: "BRL" });
    expect(await coupons.update(shop.a.id, id, { currency: "USD" })).toMatchObject({
      min_subtotal_currency: "USD",
    });
    expect(await coupons.update(shop.a.id, id, { min_subtotal: null })).toMatchObject({
      min_subtotal_currency: null,
    });
    const fault = { code: "parameter_invalid", param: "min_subtotal_currency" };
    expect(
      await thrownBy(
        coupons.update(shop.a.id, dollars.id, { currency: "BRL", min_subtotal_currency: "USD" }),
      ),
    ).toMatchObject(fault);
  });

  test("every refusal asks the storage the same questions", async () => {
    const create = (code: string, changes: object) =>
      shop.owner.coupons.create(shop.a.id, {
        code,
        discount_type: "percentage",
        discount_amount: 5,
        ...changes,
      });
    await create("OLD", { ends_at: "2025-01-01T00:00:00Z" });
    await create("BIG", { min_subtotal: 1_000_000 });
    await create("ONCE", { max_uses: 1 });
    await shop.buy({ coupon_code: "ONCE" });

    const questions = async (run: () => Promise<unknown>): Promise<string> => {
      shop.calls.length = 0;
      await run();
      return shop.calls.join(" ");
    };
    const asked = new Set<string>();
    const made = new Set<string>();
    for (const code of ["NOPE", "OLD", "BIG", "ONCE", "%"]) {
      asked.add(await questions(() => validate(code)));
      made.add(await questions(() => shop.session({ coupon_code: code })));
    }
    asked.add(await questions(() => validate("SAVE10", [{ product_id: "prod_x", quantity: 1 }])));
    expect([...asked]).toEqual(["access.findAccess checkout.loadCart"]);
    expect([...made]).toEqual(["access.findAccess checkout.openCheckout"]);
  });

  test("a malformed body is 400", async () => {
    for (const code of [7, ["A"], { $gt: "" }, "", "x".repeat(101)]) {
      expect(faultOf(await validate(code))).toEqual([400, "parameter_invalid", "code"]);
      expect(faultOf(await shop.session({ coupon_code: code }))).toEqual([
        400,
        "parameter_invalid",
        "coupon_code",
      ]);
    }
    expect(faultOf(await validate(null))).toEqual([400, "parameter_missing", "code"]);
    expect(faultOf(await validate("X", []))).toEqual([400, "parameter_invalid", "items"]);
  });

  test("at checkout an invalid coupon is 400 coupon_invalid", async () => {
    expect(faultOf(await shop.session({ coupon_code: "NOPE" }))).toEqual([
      400,
      "coupon_invalid",
      "coupon_code",
    ]);
  });

  test("a coupon never takes a cart below 0; a free order needs no gateway", async () => {
    await shop.owner.coupons.create(shop.a.id, {
      code: "ALL",
      discount_type: "fixed",
      discount_amount: 999_999,
      currency: "BRL",
    });
    const made = await shop.session({ coupon_code: "ALL" });
    expect(made.body.data).toMatchObject({
      amount_subtotal: 1000,
      amount_discount: 1000,
      amount_total: 0,
    });
    expect((await shop.storefront.checkout.submit(shop.tokenOf(made), {})).status).toBe("paid");
  });

  test("a discount is rounded half up once; the lines' parts sum up to it", async () => {
    await shop.owner.coupons.create(shop.a.id, {
      code: "THIRD",
      discount_type: "percentage",
      discount_amount: 33.33,
    });
    const ids = await Promise.all(
      [101, 102, 103].map(
        async (price) =>
          (
            await shop.owner.products.create(shop.a.id, {
              name: `P${price}`,
              price,
              currency: "BRL",
            })
          ).id,
      ),
    );
    const { data } = (
      await shop.session({
        coupon_code: "THIRD",
        items: ids.map((product_id) => ({ product_id, quantity: 1 })),
      })
    ).body;
    expect(data.amount_discount).toBe(102); // 306 × 0.3333 = 101.99
    expect(
      data.line_items.map((item: { amount_discount: number }) => item.amount_discount),
    ).toEqual([34, 34, 34]);
    expect(
      data.line_items.reduce(
        (sum: number, item: { amount_total: number }) => sum + item.amount_total,
        0,
      ),
    ).toBe(data.amount_total);
  });

  test("a coupon for one product discounts its lines alone", async () => {
    const other = await shop.owner.products.create(shop.a.id, {
      name: "Other",
      price: 500,
      currency: "BRL",
    });
    await shop.owner.coupons.create(shop.a.id, {
      code: "OTHER",
      discount_type: "percentage",
      discount_amount: 50,
      product_ids: [other.id],
    });
    const { data } = (
      await shop.session({
        coupon_code: "OTHER",
        items: [shop.product.id, other.id].map((product_id) => ({ product_id, quantity: 1 })),
      })
    ).body;
    expect(
      data.line_items.map((item: { amount_discount: number }) => item.amount_discount),
    ).toEqual([0, 250]);
  });

  test("a one-use coupon submitted by fifty buyers at once is used once", async () => {
    await shop.owner.coupons.create(shop.a.id, {
      code: "ONE",
      discount_type: "percentage",
      discount_amount: 10,
      max_uses: 1,
    });
    const sessions = await Promise.all(
      Array.from({ length: 50 }, () => shop.session({ coupon_code: "ONE" })),
    );
    const results = await Promise.allSettled(
      sessions.map((made) =>
        shop.storefront.checkout.submit(shop.tokenOf(made), {
          payment_method_id: shop.a.method_id,
        }),
      ),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("coupon_invalid");
  });

  test("a limit per customer counts by id or e-mail; failed payments do not count", async () => {
    await shop.owner.coupons.create(shop.a.id, {
      code: "EACH",
      discount_type: "percentage",
      discount_amount: 10,
      max_uses_per_customer: 1,
    });
    const pay = async (customer: object, outcome = "succeed") =>
      shop.storefront.checkout.submit(shop.tokenOf(await shop.session({ coupon_code: "EACH" })), {
        payment_method_id: shop.a.method_id,
        customer,
        input: { outcome },
      });
    expect((await pay({ email: "ana@example.com" }, "decline")).status).toBe("failed");
    expect((await pay({ email: "Ana@Example.com" })).status).toBe("paid");
    await expect(pay({ email: "ANA@example.com" })).rejects.toMatchObject({
      code: "coupon_invalid",
    });
    expect((await pay({ email: "bia@example.com" })).status).toBe("paid");
    expect((await pay({ id: "u1", email: "ana@example.com" }, "decline")).status).toBe("failed");
    expect((await pay({ id: "u1", email: "ana@example.com" })).status).toBe("paid");
    await expect(pay({ id: "u1" })).rejects.toMatchObject({ code: "coupon_invalid" });
  });

  test("validations are limited to 20 a minute for a store, mode and address", async () => {
    const limited = await createShop(await open());
    const guess = (ip: string, key = limited.a.live.pub) =>
      limited.post("/coupons/validate", {
        key,
        ip,
        body: { code: "X", items: [{ product_id: "x", quantity: 1 }] },
      });
    for (let turn = 0; turn < 20; turn += 1) expect((await guess("198.51.100.7")).status).toBe(200);
    expect(codeOf(await guess("198.51.100.7"))).toEqual([429, "rate_limit_exceeded"]);
    expect((await guess("198.51.100.8")).status).toBe(200);
    expect((await guess("198.51.100.7", limited.a.test.pub)).status).toBe(200);
  });
});
