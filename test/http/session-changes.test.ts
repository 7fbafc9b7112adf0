import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("a session that changes, on %s", (_name, open) => {
  let shop: Shop;
  let count = 0;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null, coupons: null } });
  });
  const change = (
    id: string,
    body: Record<string, unknown>,
    options: { key?: string; headers?: Record<string, string> } = {},
  ) =>
    shop.call("PATCH", `/checkout/sessions/${id}`, {
      key: options.key ?? shop.a.test.pub,
      body,
      headers: { "idempotency-key": `change-${++count}`, ...options.headers },
    });
  const begin = async (body: Record<string, unknown> = {}) => (await shop.session(body)).body.data;
  const second = () =>
    shop.owner.products.create(shop.a.id, { name: "Second", price: 700, currency: "BRL" });

  test("items are priced by the stored products, and the rest stays", async () => {
    const session = await begin({
      customer: { email: "ana@example.com" },
      metadata: { cart: "7" },
    });
    const other = await second();
    const items = [
      { product_id: shop.product.id, quantity: 2 },
      { product_id: other.id, quantity: 1, price: 1 },
    ];
    const { status, body } = await change(session.id, { items });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: session.id,
      version: 2,
      status: "open",
      checkout_url: session.checkout_url,
      expires_at: session.expires_at,
      amount_total: 2_700,
      customer: { email: "ana@example.com", discord_id: null },
      metadata: { cart: "7" },
    });
    // The line that was there keeps its id.
    expect(body.data.line_items[0].id).toBe(session.line_items[0].id);
    const read = await shop.get(`/checkout/sessions/${session.id}`, { key: shop.a.test.sec });
    expect(read.body.data).toMatchObject({ version: 2, amount_total: 2_700 });
  });

  test("a coupon comes and goes, and the customer changes without the amounts", async () => {
    const session = await begin();
    const coupon = await change(session.id, { coupon_code: "save10" });
    expect(coupon.body.data).toMatchObject({ coupon_code: "SAVE10", amount_total: 900 });

    await shop.owner.products.update(shop.a.id, shop.product.id, { price: 5_000 });
    const named = await change(session.id, { customer: { email: "b@example.com" } });
    expect(named.body.data).toMatchObject({
      amount_total: 900,
      customer: { email: "b@example.com" },
    });

    const bare = await change(session.id, { coupon_code: null, customer: { email: null } });
    expect(bare.body.data).toMatchObject({
      version: 4,
      coupon_code: null,
      amount_total: 5_000,
      customer: { email: null, discord_id: null },
    });
  });

  test("a repeat under the same key gives the first answer, byte for byte", async () => {
    const session = await begin();
    const headers = { "idempotency-key": "change-once" };
    const body = { coupon_code: "SAVE10" };
    const first = await change(session.id, body, { headers });
    await change(session.id, { coupon_code: null });
    const again = await change(session.id, body, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.headers["original-request-id"]).toBe(first.body.request_id);
    const read = await shop.get(`/checkout/sessions/${session.id}`, { key: shop.a.test.sec });
    expect(read.body.data).toMatchObject({ version: 3, coupon_code: null });
  });

  test("a key names one body and one session", async () => {
    const [session, other] = [await begin(), await begin()];
    const headers = { "idempotency-key": "one" };
    await change(session.id, { coupon_code: "SAVE10" }, { headers });
    const body = await change(session.id, { coupon_code: null }, { headers });
    expect(codeOf(body)).toEqual([409, "idempotency_key_reuse"]);
    const elsewhere = await change(other.id, { coupon_code: "SAVE10" }, { headers });
    expect(codeOf(elsewhere)).toEqual([409, "idempotency_key_reuse"]);
    expect(
      codeOf(
        await shop.call("PATCH", `/checkout/sessions/${session.id}`, {
          key: shop.a.test.pub,
          body: { coupon_code: null },
        }),
      ),
    ).toEqual([400, "missing_idempotency_key"]);
  });

  test("a version that has passed is session_changed, and nothing is written", async () => {
    const session = await begin();
    const body = { coupon_code: "SAVE10", expected_version: 1 };
    expect((await change(session.id, body)).status).toBe(200);
    expect(faultOf(await change(session.id, { ...body, coupon_code: null }))).toEqual([
      409,
      "session_changed",
      "expected_version",
    ]);
    const read = await shop.get(`/checkout/sessions/${session.id}`, { key: shop.a.test.sec });
    expect(read.body.data).toMatchObject({ version: 2, coupon_code: "SAVE10" });
  });

  test("of thirty changes at once each is written over the one before, or told", async () => {
    const session = await begin();
    const quantities = Array.from({ length: 30 }, (_, index) => index + 1);
    const changeTo = (quantity: number, body: object = {}) =>
      change(session.id, { items: [{ product_id: shop.product.id, quantity }], ...body });

    const answers = await Promise.all(quantities.map((quantity) => changeTo(quantity)));
    const versions = answers.map(({ body }) => body.data?.version ?? body.error.code);
    expect(versions.sort((a, b) => a - b)).toEqual(quantities.map((quantity) => quantity + 1));

    const guarded = await Promise.all(
      quantities.map((quantity) => changeTo(quantity, { expected_version: 31 })),
    );
    const codes = guarded.map(({ body }) => body.error?.code ?? "changed").sort();
    expect(codes).toEqual(["changed", ...Array(29).fill("session_changed")]);
  });

  test("a session in payment, paid, over or of another store is not changed", async () => {
    const made = await shop.session();
    const { id } = made.body.data;
    await shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome: "pending" },
    });
    const body = { coupon_code: null };
    expect(codeOf(await change(id, body))).toEqual([409, "session_not_open"]);

    const paid = await shop.buy();
    expect(codeOf(await change(paid.checkout_session_id ?? "", body))).toEqual([
      409,
      "session_not_open",
    ]);
    const mine = await begin();
    expect(codeOf(await change(mine.id, body, { key: shop.b.test.pub }))).toEqual([
      404,
      "resource_not_found",
    ]);
    expect(codeOf(await change(mine.id, body, { key: shop.a.live.pub }))).toEqual([
      404,
      "resource_not_found",
    ]);
    expect(codeOf(await change("cs_none", body))).toEqual([404, "resource_not_found"]);
    shop.advance(1_800_000);
    expect(codeOf(await change(mine.id, body))).toEqual([409, "session_expired"]);
  });

  test("a buyer who saw an older version is shown the cart again before anything is paid", async () => {
    const made = await shop.session();
    const submit = (session_version?: number) =>
      shop.storefront.checkout.submit(shop.tokenOf(made), {
        payment_method_id: shop.a.method_id,
        session_version,
      });
    await change(made.body.data.id, { items: [{ product_id: shop.product.id, quantity: 9 }] });
    await expect(submit(1)).rejects.toMatchObject({ code: "session_changed" });
    expect((await submit(2)).order.amount_total).toBe(9_000);
  });

  test("bad bodies are told with their parameter", async () => {
    const { id } = await begin();
    const faults = async (body: Record<string, unknown>) => faultOf(await change(id, body));
    expect(await faults({})).toEqual([400, "parameter_missing", "items"]);
    expect(await faults({ items: [] })).toEqual([400, "parameter_invalid", "items"]);
    expect(await faults({ items: [{ product_id: shop.foreign.id, quantity: 1 }] })).toEqual([
      400,
      "product_unavailable",
      "items",
    ]);
    expect(await faults({ coupon_code: "NONE" })).toEqual([400, "coupon_invalid", "coupon_code"]);
    expect(await faults({ customer: { email: "no" } })).toEqual([
      400,
      "parameter_invalid",
      "customer.email",
    ]);
    for (const expected_version of [0, -1, 1.5, "1", {}])
      expect(await faults({ coupon_code: null, expected_version })).toEqual([
        400,
        "parameter_invalid",
        "expected_version",
      ]);
  });

  test("a key without checkout:write does not change it", async () => {
    const { id } = await begin();
    const { key } = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "publishable",
      scopes: ["catalog:read"],
    });
    expect(codeOf(await change(id, { coupon_code: null }, { key }))).toEqual([
      403,
      "insufficient_scope",
    ]);
  });
});
