import { describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { codeOf, createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("eraseCustomer and wipeTestData, on %s", (name, open) => {
  const ana = {
    id: "u_ana",
    email: "ana@example.com",
    name: "Ana Souza",
    tax_id: "123.456.789-09",
    discord_id: "ana#1",
  };

  test("a customer is erased everywhere; other customers and the books stay", async () => {
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const customer = { email: ana.email, discord_id: ana.discord_id };
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://hooks.example.com/x",
    });
    const headers = { "idempotency-key": "erase-me" };
    const order = await shop.buy(
      { customer, coupon_code: "SAVE10" },
      { headers },
      { customer: ana },
    );
    const other = await shop.buy({}, {}, { customer: { id: "u_bia", email: "bia@example.com" } });
    shop.receiver.answer = () => ({ snippet: "thanks ana@example.com" });
    await shop.storefront.drainWebhooks();

    expect(await shop.owner.eraseCustomer(shop.a.id, ana.id)).toBe(true);
    const all = await Promise.all([
      shop.get("/orders?limit=100", { key: shop.a.test.sec }),
      shop.get("/events?limit=100", { key: shop.a.test.sec }),
      shop.session({ customer, coupon_code: "SAVE10" }, { headers }),
      shop.owner.deliveries.list({ store_id: shop.a.id, livemode: false }),
    ]);
    const text = JSON.stringify(all.map((part) => ("body" in part ? part.body : part)));
    for (const trace of [ana.id, ana.email, ana.name, "789-", ana.discord_id])
      expect(text).not.toContain(trace);
    expect(text).toContain("bia@example.com");
    expect(
      (await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec })).body.data,
    ).toMatchObject({
      number: order.number,
      amount_total: order.amount_total,
      customer: { id: "cus_erased", email: null, name: null, tax_id: null },
    });
    expect(
      (await shop.get(`/orders/${other.id}`, { key: shop.a.test.sec })).body.data.customer.id,
    ).toBe("u_bia");
    expect(await shop.owner.eraseCustomer(shop.a.id, ana.id)).toBe(false);
    expect(await shop.owner.eraseCustomer(shop.b.id, "u_bia")).toBe(false);
  });

  test("an erasure that takes long is accepted, and maintenance does the rest", async () => {
    const storage = await open();
    let advance = (_ms: number): unknown => null;
    const { privacy } = storage;
    const slow: Storage = {
      ...storage,
      privacy: {
        eraseChunk(erasure, position) {
          advance(3_000);
          return privacy.eraseChunk(erasure, position);
        },
        finishErasures: (before) => privacy.finishErasures(before),
        isErased: (partition, customer_keys) => privacy.isErased(partition, customer_keys),
        wipeTestChunk: (...given) => privacy.wipeTestChunk(...given),
      },
    };
    const shop = await createShop(slow, { limits: { checkout: null } });
    await shop.buy({}, {}, { customer: ana });
    const shown = async (): Promise<string> => {
      const orders = await shop.get("/orders?limit=100", { key: shop.a.test.sec });
      const events = await shop.get("/events?limit=100", { key: shop.a.test.sec });
      return JSON.stringify([orders.body, events.body]);
    };

    advance = shop.advance;
    const erased = await shop.owner.eraseCustomer(shop.a.id, ana.id);
    advance = () => null;
    // Memory has one chunk for all.
    expect(erased).toBe(name === "memory" ? true : "accepted");
    if (erased === "accepted") {
      await shop.storefront.runMaintenance();
      expect(await shown(), "the call may still be at work").toContain(ana.email);
    }

    shop.advance(61_000);
    await shop.storefront.runMaintenance();
    expect(await shown()).not.toContain(ana.email);
    expect(await shop.owner.eraseCustomer(shop.a.id, ana.id)).toBe(false);
    expect(await storage.privacy.finishErasures(Number.MAX_SAFE_INTEGER)).toEqual({
      is_removed: true,
      left: null,
    });
  });

  test("a cus_ id comes back as a new one, a host's id without its old data and tokens", async () => {
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const where = { store_id: shop.a.id, livemode: false };
    const made = (await shop.buy({}, {}, {})).customer.id;
    expect(made).toMatch(/^cus_/);
    await shop.buy({}, {}, { customer: ana });
    const tokenOf = async (customer_id: string) =>
      (await shop.storefront.customers.issueToken({ ...where, customer_id })).token;
    const old = await tokenOf(ana.id);
    shop.advance(1_000);

    for (const id of [made, ana.id])
      expect(await shop.owner.eraseCustomer(shop.a.id, id)).toBe(true);
    shop.advance(1_000);
    const withToken = (token: string) => ({ headers: { "x-service-customer-token": token } });
    const mine = (token: string) =>
      shop.get("/customers/me/orders", { key: shop.a.test.pub, ...withToken(token) });
    expect((await mine(old)).body.error.code).toBe("invalid_customer_token");

    const again = (await shop.buy({}, {}, { customer: { id: made } })).customer.id;
    expect(again).toMatch(/^cus_/);
    const byToken = (await shop.buy({}, withToken(await tokenOf(made)), {})).customer.id;
    expect(byToken).toMatch(/^cus_/);
    expect(new Set([made, "cus_erased", again, byToken]).size).toBe(4);

    const back = await shop.buy({}, {}, { customer: { id: ana.id } });
    expect(back.customer).toMatchObject({ id: ana.id, email: null, name: null });
    const { data } = (await mine(await tokenOf(ana.id))).body;
    expect(data.map((order: { id: string }) => order.id)).toEqual([back.id]);
  });

  test("who goes on with the session of an erased customer is someone new, and can be erased", async () => {
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const where = { store_id: shop.a.id, livemode: false };
    const { token } = await shop.storefront.customers.issueToken({ ...where, customer_id: ana.id });
    const named = await shop.session({}, { headers: { "x-service-customer-token": token } });
    const guest = await shop.session();
    const submit = (session: typeof guest, more: object) =>
      shop.storefront.checkout.submit(shop.tokenOf(session), {
        payment_method_id: shop.a.method_id,
        ...more,
      });
    const failed = await submit(guest, {
      customer: { email: ana.email },
      input: { outcome: "decline" },
    });
    for (const id of [ana.id, failed.order.customer.id])
      expect(await shop.owner.eraseCustomer(shop.a.id, id)).toBe(true);

    for (const [index, session] of [named, guest].entries()) {
      const email = `late${index}@example.com`;
      const { order } = await submit(session, { customer: { id: "cus_erased", email } });
      expect(order.customer).toMatchObject({ email });
      expect(order.customer.id).not.toBe("cus_erased");
      expect(await shop.owner.eraseCustomer(shop.a.id, order.customer.id)).toBe(true);
    }
    expect((await shop.owner.orders.list({ ...where, search: "late" })).data).toEqual([]);

    // A host may have read this id from an order. It would list the orders of everyone.
    const erased = { ...where, customer_id: "cus_erased" };
    const headers = {
      "x-service-customer-token": (await shop.storefront.customers.issueToken(erased)).token,
    };
    const mine = await shop.get("/customers/me/orders", { key: shop.a.test.pub, headers });
    expect(codeOf(mine)).toEqual([401, "invalid_customer_token"]);
  });

  test("the test mode is empty, live data stays, and test stock equals live stock", async () => {
    const shop = await createShop(await open(), { limits: { checkout: null } });
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    const live = await shop.session({}, { key: shop.a.live.pub });
    const order = await shop.buy();
    expect(
      (await shop.get(`/products/${shop.product.id}`, { key: shop.a.test.pub })).body.data
        .available,
    ).toBe(false);
    await shop.owner.wipeTestData(shop.a.id);
    expect((await shop.get("/orders", { key: shop.a.test.sec })).body.data).toEqual([]);
    expect((await shop.get("/events", { key: shop.a.test.sec })).body.data).toEqual([]);
    expect((await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec })).status).toBe(404);
    expect(
      (await shop.get(`/products/${shop.product.id}`, { key: shop.a.test.pub })).body.data
        .available,
    ).toBe(true);
    expect((await shop.storefront.checkout.view(shop.tokenOf(live))).session.status).toBe("open");
    expect(await shop.buy()).toMatchObject({ status: "paid" });
  });
});
