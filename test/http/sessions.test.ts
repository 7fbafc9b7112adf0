import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, origin, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("GET /checkout/sessions/{id}, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
  });
  const made = async (body: Record<string, unknown> = {}) => {
    const answer = await shop.session({
      coupon_code: "SAVE10",
      customer: { email: "ana@example.com", discord_id: "d1" },
      metadata: { cart: "7" },
      ...body,
    });
    return { id: String(answer.body.data.id), session: answer.body.data, answer };
  };
  const read = (id: string, key = shop.a.test.pub, options = {}) =>
    shop.get(`/checkout/sessions/${id}`, { key, ...options });
  const submit = (answer: Awaited<ReturnType<Shop["session"]>>, outcome: string) =>
    shop.storefront.checkout.submit(shop.tokenOf(answer), {
      payment_method_id: shop.a.method_id,
      customer: { name: "Ana Souza", tax_id: "123.456.789-09" },
      input: { outcome },
    });
  const secretWith = async (...scopes: ("orders:read" | "checkout:write" | "catalog:read")[]) =>
    (
      await shop.owner.keys.create({
        store_id: shop.a.id,
        livemode: false,
        kind: "secret",
        scopes,
      })
    ).key;

  test("a publishable key sees how the session stands, and nothing of buyer, coupon and address", async () => {
    const { id, session } = await made();
    const { variables: _, ...line } = session.line_items[0];
    const answer = await read(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id,
      version: 1,
      status: "open",
      payment_status: "unpaid",
      expires_at: session.expires_at,
      amount_subtotal: 1000,
      amount_discount: 100,
      amount_total: 900,
      currency: "BRL",
      line_items: [line],
      order: null,
    });
    expect(answer.text).not.toMatch(/ana@|SAVE10|cart|pay\.example|success|cancel/);
  });

  test("a secret key with orders:read sees the whole session and its order", async () => {
    const { id, session, answer } = await made();
    const unpaid = await read(id, shop.a.test.sec);
    expect(unpaid.body.data).toEqual({ ...session, order: null });

    const { order } = await submit(answer, "succeed");
    const paid = await read(id, shop.a.test.sec);
    expect(paid.body.data).toEqual({
      ...session,
      status: "complete",
      payment_status: "paid",
      order: { id: order.id, number: 1, status: "paid" },
    });
  });

  test("the scope decides what a secret key sees: orders:read alone is enough for all", async () => {
    const { id } = await made();
    expect((await read(id, await secretWith("orders:read"))).body.data).toHaveProperty("metadata");
    const limited = await read(id, await secretWith("checkout:write"));
    expect(limited.body.data).not.toHaveProperty("metadata");
    expect(codeOf(await read(id, await secretWith("catalog:read")))).toEqual([
      403,
      "insufficient_scope",
    ]);
  });

  test("it tells the buyer of a payment under way, failed, and paid", async () => {
    const { id, answer } = await made();
    const seen = async () => {
      const { status, payment_status, order } = (await read(id)).body.data;
      return [status, payment_status, order];
    };

    await submit(answer, "decline");
    expect(await seen()).toEqual(["open", "unpaid", { number: 1, status: "failed" }]);
    await submit(answer, "pending_then_succeed");
    expect(await seen()).toEqual(["open", "pending", { number: 1, status: "pending" }]);
    shop.advance(31 * 60_000);
    expect(await seen()).toEqual(["expired", "pending", { number: 1, status: "pending" }]);
    await shop.storefront.checkout.resume(shop.tokenOf(answer));
    expect(await seen()).toEqual(["complete", "paid", { number: 1, status: "paid" }]);
    expect((await read(id)).text).not.toMatch(/Souza|789|cus_|ord_/);
  });

  test("an unknown id, and one of another store or mode, is 404", async () => {
    const { id } = await made();
    for (const answer of [
      await read("cs_unknown"),
      await read(id, shop.b.test.pub),
      await read(id, shop.b.test.sec),
      await read(id, shop.a.live.pub),
      await read(id, shop.a.live.sec),
      await read("a".repeat(256)),
      await read("%00"),
    ])
      expect(codeOf(answer)).toEqual([404, "resource_not_found"]);
    expect(codeOf(await read("%zz"))).toEqual([400, "parameter_invalid"]);
  });

  test("no cache may keep it, HEAD works, and other methods are 405", async () => {
    const { id } = await made();
    const { headers } = await read(id);
    expect([headers["cache-control"], headers["etag"]]).toEqual(["private, no-store", undefined]);
    const head = await shop.call("HEAD", `/checkout/sessions/${id}`, { key: shop.a.test.pub });
    expect([head.status, head.text]).toEqual([200, null]);
    const post = await shop.post(`/checkout/sessions/${id}`, { key: shop.a.test.pub, body: {} });
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD, PATCH, OPTIONS"]);
  });

  test("a page of a registered origin may read it, with its publishable key alone", async () => {
    const { id } = await made();
    const path = `/checkout/sessions/${id}?key=${shop.a.test.pub}`;
    const page = await shop.get(path, { key: shop.a.test.pub, headers: { origin } });
    expect([page.status, page.headers["access-control-allow-origin"]]).toEqual([200, origin]);
    const leaked = await shop.get(path, { key: shop.a.test.sec, headers: { origin } });
    expect(codeOf(leaked)).toEqual([403, "secret_key_in_browser"]);
  });

  test("sixty reads of an address pass in a minute, the next is 429, another address passes", async () => {
    const { id } = await made();
    for (let count = 0; count < 60; count += 1) expect((await read(id)).status).toBe(200);
    const refused = await read(id);
    expect(codeOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers["ratelimit-policy"]).toBe('"sessions";q=60;w=60');
    expect((await read(id, shop.a.test.pub, { ip: "203.0.113.10" })).status).toBe(200);
    expect((await shop.session()).status).toBe(201);
    shop.advance(60_000);
    expect((await read(id)).status).toBe(200);
  });

  test("it makes one storage call beside the key's, and writes nothing", async () => {
    const { id, answer } = await made();
    await submit(answer, "succeed");
    for (const key of [shop.a.test.pub, shop.a.test.sec]) {
      shop.calls.length = 0;
      await read(id, key);
      expect(shop.calls).toEqual(["access.findAccess", "checkout.findSession"]);
    }
  });

  test("orders are found by their session, and only with a secret key", async () => {
    const { id, answer } = await made();
    await shop.buy();
    const { order } = await submit(answer, "succeed");
    const orders = async (query: string) =>
      (await shop.get(`/orders?${query}`, { key: shop.a.test.sec })).body.data;

    expect(await orders(`checkout_session_id=${id}`)).toEqual([order]);
    expect(await orders(`checkout_session_id=${id}&status=failed`)).toEqual([]);
    expect(await orders("checkout_session_id=cs_unknown")).toEqual([]);
    const query = `/orders?checkout_session_id=${id}`;
    expect(codeOf(await shop.get(query, { key: shop.a.test.pub }))[0]).toBe(403);
    for (const wrong of ["", "%00", "a".repeat(256)])
      expect(
        codeOf(await shop.get(`/orders?checkout_session_id=${wrong}`, { key: shop.a.test.sec })),
      ).toEqual([400, "parameter_invalid"]);
  });

  test("the address of a session whose seal key is gone is null, and the rest is shown", async () => {
    const storage = await open();
    const before = await createShop(storage);
    const { id } = (await before.session()).body.data;
    const key = before.a.test.sec;

    const after = await createShop(storage, { sealKey: new Uint8Array(32).fill(4) });
    const answer = await after.get(`/checkout/sessions/${id}`, { key });
    expect([answer.status, answer.body.data.checkout_url]).toEqual([200, null]);
  });

  test("under a key whose session lost its seal key nothing is made or changed, and a new key sells", async () => {
    const storage = await open();
    const before = await createShop(storage);
    const headers = { "idempotency-key": "k" };
    const { id } = (await before.session({}, { headers })).body.data;
    const { pub: key } = before.a.test;
    const change = (shop: Shop, idempotency: string) =>
      shop.call("PATCH", `/checkout/sessions/${id}`, {
        key,
        body: { customer: { email: "b@example.com" } },
        headers: { "idempotency-key": idempotency },
      });
    expect((await change(before, "c")).status).toBe(200);

    const after = await createShop(storage, { sealKey: new Uint8Array(32).fill(4) });
    const items = [{ product_id: before.product.id, quantity: 1 }];
    const create = (idempotency: string) =>
      after.session({ items }, { key, headers: { "idempotency-key": idempotency } });
    const gone = [409, "session_not_open"];
    const answers = [await create("k"), await change(after, "c"), await change(after, "d")];
    expect(answers.map(codeOf)).toEqual([gone, gone, gone]);
    expect(answers[0]?.body.error.message).toMatch(/address/);
    const read = await after.get(`/checkout/sessions/${id}`, { key: before.a.test.sec });
    expect(read.body.data).toMatchObject({ version: 2, status: "open" });
    const fresh = await create("k2");
    expect([fresh.status, fresh.body.data.id === id]).toEqual([201, false]);
  });
});
