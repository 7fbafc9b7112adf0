import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, returnUrl, type Shop, start } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("checkout sessions, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null, coupons: null } });
  });
  const line = (quantity: unknown = 1, extra = {}) => ({
    product_id: shop.product.id,
    quantity,
    ...extra,
  });

  test("a session is open for 30 minutes, with totals from the stored product", async () => {
    const { status, body } = await shop.session({
      items: [line(3)],
      customer: { email: "ana@example.com" },
      metadata: { cart: "7", gift: true, n: 1.5 },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: "open",
      payment_status: "unpaid",
      amount_subtotal: 3000,
      amount_discount: 0,
      amount_total: 3000,
      currency: "BRL",
      created_at: new Date(start).toISOString(),
      expires_at: new Date(start + 1_800_000).toISOString(),
      customer: { email: "ana@example.com", discord_id: null },
      metadata: { cart: "7", gift: true, n: 1.5 },
      line_items: [
        {
          product_id: shop.product.id,
          quantity: 3,
          unit_amount: 1000,
          amount_total: 3000,
          variables: {},
        },
      ],
    });
    expect(body.data.checkout_url).toMatch(
      /^https:\/\/pay\.example\.com\/c\/str_\w+\.test\.cs_\w+\.[\w-]{43}$/,
    );
  });

  test("any price or total that is sent is ignored", async () => {
    const extra = { price: 1, amount: 1, unit_amount: 1, currency: "USD", discount: 999 };
    const { body } = await shop.session({
      items: [line(1, extra)],
      amount_total: 1,
      currency: "USD",
      line_items: [],
      price: 0,
      discount: 5,
    });
    expect(body.data).toMatchObject({ amount_total: 1000, currency: "BRL" });
  });

  test("a quantity is a whole number from 1 to 999", async () => {
    for (const quantity of [0, -1, 1.5, "2", true, [], {}, 1e21, 1000, -0]) {
      expect(faultOf(await shop.session({ items: [line(quantity)] })), String(quantity)).toEqual([
        400,
        "parameter_invalid",
        "items[0].quantity",
      ]);
    }
    expect(faultOf(await shop.session({ items: [line(null)] }))).toEqual([
      400,
      "parameter_missing",
      "items[0].quantity",
    ]);
    const items = `[{"product_id":"${shop.product.id}","quantity":1e400}]`;
    const urls = `"success_url":"${returnUrl}","cancel_url":"${returnUrl}"`;
    const raw = `{"items":${items},${urls}}`;
    expect(
      codeOf(
        await shop.post("/checkout/sessions", {
          key: shop.a.test.pub,
          raw,
          headers: { "idempotency-key": "big" },
        }),
      )[0],
    ).toBe(400);
  });

  test("a total above 2^53-1 is refused, never rounded", async () => {
    const { id } = await shop.owner.products.create(shop.a.id, {
      name: "Moon",
      price: Number.MAX_SAFE_INTEGER,
      currency: "BRL",
    });
    expect(faultOf(await shop.session({ items: [{ product_id: id, quantity: 2 }] }))).toEqual([
      400,
      "amount_out_of_range",
      "items",
    ]);
  });

  test("of one product on two lines, stock and limits are judged on the sum", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 5 });
    expect((await shop.session({ items: [line(2), line(3)] })).body.data.amount_total).toBe(5000);
    expect(faultOf(await shop.session({ items: [line(3), line(3)] }))).toEqual([
      400,
      "insufficient_stock",
      "items",
    ]);
    await shop.owner.products.update(shop.a.id, shop.product.id, { max_quantity: 4, stock: null });
    expect(faultOf(await shop.session({ items: [line(2), line(3)] }))).toEqual([
      400,
      "parameter_invalid",
      "items[1].quantity",
    ]);
  });

  test("inactive, blocked, deleted, foreign and unknown products are refused alike", async () => {
    const create = async (changes: object) =>
      (
        await shop.owner.products.create(shop.a.id, {
          name: "X",
          price: 1,
          currency: "BRL",
          ...changes,
        })
      ).id;
    const gone = await create({});
    await shop.owner.products.delete(shop.a.id, gone);
    for (const product_id of [
      await create({ active: false }),
      await create({ blocked: true }),
      gone,
      shop.foreign.id,
      "prod_unknown",
    ]) {
      expect(faultOf(await shop.session({ items: [{ product_id, quantity: 1 }] }))).toEqual([
        400,
        "product_unavailable",
        "items",
      ]);
    }
  });

  test("a session keeps the price at which it was created", async () => {
    const before = await shop.session();
    await shop.owner.products.update(shop.a.id, shop.product.id, { price: 2000 });
    expect((await shop.storefront.checkout.view(shop.tokenOf(before))).session.amount_total).toBe(
      1000,
    );
    expect((await shop.session()).body.data.amount_total).toBe(2000);
  });

  test("a session has one currency; a recurring product must be its only one", async () => {
    const usd = await shop.owner.products.create(shop.a.id, {
      name: "Dollar",
      price: 1,
      currency: "USD",
    });
    const monthly = await shop.owner.products.create(shop.a.id, {
      name: "Monthly",
      price: 1,
      currency: "BRL",
      recurring: { interval: "month", interval_count: 1 },
    });
    expect(
      faultOf(await shop.session({ items: [line(), { product_id: usd.id, quantity: 1 }] })),
    ).toEqual([400, "currency_mismatch", "items"]);
    expect(
      faultOf(await shop.session({ items: [line(), { product_id: monthly.id, quantity: 1 }] })),
    ).toEqual([400, "parameter_invalid", "items"]);
    expect((await shop.session({ items: [{ product_id: monthly.id, quantity: 1 }] })).status).toBe(
      201,
    );
  });

  test("a missing required field is named; null in an optional field means absent", async () => {
    for (const [body, param] of [
      [{ items: undefined }, "items"],
      [{ success_url: undefined }, "success_url"],
      [{ cancel_url: null }, "cancel_url"],
      [{ items: [{ quantity: 1 }] }, "items[0].product_id"],
    ] as const) {
      expect(faultOf(await shop.session(body))).toEqual([400, "parameter_missing", param]);
    }
    expect((await shop.session({ customer: null, coupon_code: null, metadata: null })).status).toBe(
      201,
    );
    for (const items of [[], Array.from({ length: 101 }, () => line()), {}, "x"])
      expect(faultOf(await shop.session({ items }))).toEqual([400, "parameter_invalid", "items"]);
  });

  test("metadata is flat and has bounds", async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1]));
    const large = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`k${index}`, "é".repeat(400)]),
    );
    for (const metadata of [
      many,
      large,
      { ["k".repeat(41)]: 1 },
      { k: "x".repeat(501) },
      { k: { n: 1 } },
      { k: null },
      { k: [1] },
      [],
      "x",
    ]) {
      const [status, code, param] = faultOf(await shop.session({ metadata }));
      expect([status, code]).toEqual([400, "parameter_invalid"]);
      expect(param).toMatch(/^metadata/);
    }
  });

  test("lengths count whole characters, as the API document does", async () => {
    const metadata = { ["😀".repeat(40)]: "😀".repeat(500) };
    const { status, body } = await shop.session({ metadata });
    expect([status, body.data?.metadata]).toEqual([201, metadata]);
    for (const wrong of [{ ["😀".repeat(41)]: 1 }, { k: "😀".repeat(501) }])
      expect(faultOf(await shop.session({ metadata: wrong })).slice(0, 2)).toEqual([
        400,
        "parameter_invalid",
      ]);
  });

  test("customer.email is one address of at most 254 characters", async () => {
    for (const email of [
      "a@b.c\r\nBcc: x@y.z",
      `${"x".repeat(400)}@b.c`,
      "nobody",
      "a@b@c",
      "a b@c.d",
      "a\u0085@b.c",
      7,
      "",
    ]) {
      expect(faultOf(await shop.session({ customer: { email } }))).toEqual([
        400,
        "parameter_invalid",
        "customer.email",
      ]);
    }
  });

  test("variables must be those that the product declares", async () => {
    const { id } = await shop.owner.products.create(shop.a.id, {
      name: "Mug",
      price: 10,
      currency: "BRL",
      variables: [
        {
          key: "text",
          label: "Text",
          type: "text",
          required: true,
          pattern: "[A-Z]{2,5}",
          max_length: 5,
        },
        { key: "size", label: "Size", type: "select", options: [{ value: "s", label: "Small" }] },
        { key: "age", label: "Age", type: "number" },
      ],
    });
    const buy = (variables: unknown) =>
      shop.session({ items: [{ product_id: id, quantity: 1, variables }] });
    expect(
      (await buy({ text: "HEY", size: "s", age: 7 })).body.data.line_items[0].variables,
    ).toEqual({ text: "HEY", size: "s", age: "7" });
    expect(faultOf(await buy(undefined))).toEqual([
      400,
      "parameter_missing",
      "items[0].variables.text",
    ]);
    for (const [variables, key] of [
      [{ text: "hey" }, "text"],
      [{ text: "TOOLONG" }, "text"],
      [{ text: "HEY", size: "xl" }, "size"],
      [{ text: "HEY", age: "seven" }, "age"],
      [{ text: "HEY", other: "x" }, "other"],
      [{ text: ["HEY"] }, "text"],
    ] as const) {
      expect(faultOf(await buy(variables)), JSON.stringify(variables)).toEqual([
        400,
        "parameter_invalid",
        `items[0].variables.${key}`,
      ]);
    }
    const proto = JSON.parse('{"text":"HEY","__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await buy(proto)).status).toBeLessThan(500);
  });

  test("a return URL matches by its parsed scheme, host, port and path", async () => {
    for (const url of ["https://SHOP.example-a.com:443/ok", `${returnUrl}?order=1#x`])
      expect((await shop.session({ success_url: url })).status).toBe(201);
    expect(
      (await shop.session({ success_url: `${returnUrl}?order=1#x` })).body.data.success_url,
    ).toBe(`${returnUrl}?order=1`);
  });

  test("any other return URL is redirect_url_not_allowed", async () => {
    for (const url of [
      "https://shop.example-a.com\\@evil.com/ok",
      "https://evil.com/https://shop.example-a.com/ok",
      "//shop.example-a.com/ok",
      "/ok",
      "ok",
      "data:text/html,x",
      "blob:https://shop.example-a.com/1",
      "javascript:alert(1)",
      "https://shop.example-a.com:444/ok",
      "http://shop.example-a.com/ok",
      "https://shop.example-a.com/okay",
      "https://shop.example-a.com/OK",
      "https://shop.example-a.com/ok/",
      "https://shop.example-a.com./ok",
      "https://shоp.example-a.com/ok",
      "https://evil.com#https://shop.example-a.com/ok",
      "https://evil.com?https://shop.example-a.com/ok",
      "https://user@shop.example-a.com/ok",
      "https://shop.example-a.com@evil.com/ok",
      " https://shop.example-a.com/ok",
      "https://shop.example-a.com/o\tk",
      "https:/shop.example-a.com/ok",
    ]) {
      expect(faultOf(await shop.session({ success_url: url })), url).toEqual([
        400,
        "redirect_url_not_allowed",
        "success_url",
      ]);
    }
    expect(faultOf(await shop.session({ cancel_url: "https://evil.com/" }))).toEqual([
      400,
      "redirect_url_not_allowed",
      "cancel_url",
    ]);
    for (const url of [`${returnUrl}?${"x".repeat(2049)}`, [returnUrl], {}, 1])
      expect((await shop.session({ success_url: url })).status).toBe(400);
    const foreign = { items: [{ product_id: shop.foreign.id, quantity: 1 }] };
    expect(codeOf(await shop.session(foreign, { key: shop.b.test.pub }))).toEqual([
      400,
      "redirect_url_not_allowed",
    ]);
  });

  test("a test key may send buyers to localhost once the owner allows it, a live key never", async () => {
    const local = {
      success_url: "http://localhost:5173/thanks?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://localhost/cart",
    };
    const refused = [400, "redirect_url_not_allowed", "success_url"];
    expect(faultOf(await shop.session(local))).toEqual(refused);

    await shop.owner.stores.update(shop.a.id, { localhost_origins: true });
    expect((await shop.session(local)).status).toBe(201);
    expect(faultOf(await shop.session(local, { key: shop.a.live.pub }))).toEqual(refused);
    for (const success_url of [
      "https://localhost/thanks",
      "http://localhost.evil.com/thanks",
      "http://localhost@evil.com/thanks",
      "http://evil.com/thanks",
      "http:/localhost",
    ])
      expect(faultOf(await shop.session({ ...local, success_url })), success_url).toEqual(refused);
  });

  test("{CHECKOUT_SESSION_ID} is filled in when the buyer is sent back", async () => {
    const made = await shop.session({ success_url: `${returnUrl}?s={CHECKOUT_SESSION_ID}` });
    expect((await shop.storefront.checkout.view(shop.tokenOf(made))).success_url).toBe(
      `${returnUrl}?s=${made.body.data.id}`,
    );
  });

  test("a checkout token that no seal key made opens no session", async () => {
    const token = shop.tokenOf(await shop.session());
    for (const wrong of [
      `${token.slice(0, -2)}xx`,
      token.replace(".test.", ".live."),
      token.split(".").slice(0, 3).join("."),
      "",
      "a.b.c.d",
    ]) {
      await expect(shop.storefront.checkout.view(wrong)).rejects.toMatchObject({
        code: "resource_not_found",
      });
    }
  });
});
