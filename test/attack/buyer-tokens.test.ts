import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { hosts, portOf } from "../support/hosts.ts";
import { codeOf, createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const buyer = (shop: Shop, customer_id = "u1") => ({
  store_id: shop.a.id,
  livemode: false,
  customer_id,
});
const issue = async (shop: Shop, customer_id = "u1"): Promise<string> =>
  (await shop.storefront.customers.issueToken(buyer(shop, customer_id))).token;
async function revoke(shop: Shop, customer_id = "u1"): Promise<void> {
  shop.advance(1_000);
  await shop.storefront.customers.revokeTokens(buyer(shop, customer_id));
  shop.advance(1_000);
}
const refused = [401, "invalid_customer_token"];

describe.each(storages)("a revoked buyer token on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
  });
  const order = (token: string, key = "k", body: Record<string, unknown> = {}) =>
    shop.session(body, {
      headers: { "x-service-customer-token": token, "idempotency-key": key },
    });

  test("makes no session, whatever the session request is", async () => {
    const token = await issue(shop);
    await revoke(shop);
    expect(codeOf(await order(token))).toEqual(refused);
    expect(codeOf(await order(token, "other", { coupon_code: "SAVE10" }))).toEqual(refused);
    expect(codeOf(await order(token, "wrong", { items: [] }))).toEqual(refused);
    expect((await order(await issue(shop), "new")).status).toBe(201);
    expect((await order(await issue(shop, "u2"), "another-buyer")).status).toBe(201);
  });

  test("replays no session that it made before", async () => {
    const token = await issue(shop);
    expect((await order(token)).status).toBe(201);
    expect((await order(token)).headers["idempotent-replayed"]).toBe("true");
    await revoke(shop);
    expect(codeOf(await order(token))).toEqual(refused);
  });

  test("leaves its Idempotency-Key free", async () => {
    const token = await issue(shop);
    await revoke(shop);
    expect(codeOf(await order(token))).toEqual(refused);
    expect((await order(await issue(shop))).status).toBe(201);
  });

  test("is judged in its own store and mode alone", async () => {
    const token = await issue(shop);
    for (const other of [{ store_id: shop.b.id }, { livemode: true }])
      await shop.storefront.customers.revokeTokens({ ...buyer(shop), ...other });
    expect((await order(token)).status).toBe(201);
  });

  test("builds no page of the host's", async () => {
    let built = 0;
    const external = await createShop(await open(), {
      checkout: {
        url: (session) => {
          built += 1;
          return `https://psp.example.com/${session.id}`;
        },
      },
    });
    const token = await issue(external);
    await revoke(external);
    const answer = await external.session({}, { headers: { "x-service-customer-token": token } });
    expect([...codeOf(answer), built]).toEqual([...refused, 0]);
  });

  test("stays revoked when its customer is erased", async () => {
    const token = await issue(shop);
    expect((await order(token)).status).toBe(201);
    await revoke(shop);
    expect(await shop.owner.eraseCustomer(shop.a.id, "u1")).toBe(true);
    expect(codeOf(await order(token, "after"))).toEqual(refused);
    const mine = await shop.get("/customers/me/orders", {
      key: shop.a.test.pub,
      headers: { "x-service-customer-token": token },
    });
    expect(codeOf(mine)).toEqual(refused);
  });

  test("is judged in the read of key and cart: no storage call more", async () => {
    const token = await issue(shop);
    const exact = await createShop(await open());
    shop.calls.length = 0;
    await order(token);
    expect(shop.calls).toEqual(["access.findAccess", "checkout.openCheckout", "checkout.step"]);
    exact.calls.length = 0;
    const headers = { "x-service-customer-token": await issue(exact) };
    expect((await exact.session({}, { headers })).status).toBe(201);
    expect(exact.calls).toEqual([
      "access.findAccess",
      "limits.hit",
      "checkout.openCheckout",
      "checkout.step",
    ]);
  });
});

describe.each(hosts)("a revoked buyer token on $name", (host) => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  });

  test("buys nothing and sees nothing, also once its customer was erased", async () => {
    const shop = await createShop(memoryStorage());
    server = await host.start(shop.storefront, "/v1");
    const base = `http://127.0.0.1:${portOf(server)}/v1`;
    const token = await issue(shop);
    const headers = {
      authorization: `Bearer ${shop.a.test.pub}`,
      "content-type": "application/json",
      "x-service-customer-token": token,
    };
    let key = 0;
    const buy = async () => {
      const answer = await fetch(`${base}/checkout/sessions`, {
        method: "POST",
        headers: { ...headers, "idempotency-key": `k${++key}` },
        body: JSON.stringify({
          items: [{ product_id: shop.product.id, quantity: 1 }],
          success_url: returnUrl,
          cancel_url: returnUrl,
        }),
      });
      return answer.status;
    };
    const look = async () => (await fetch(`${base}/customers/me/orders`, { headers })).status;
    expect([await buy(), await look()]).toEqual([201, 200]);
    await revoke(shop);
    expect([await buy(), await look()]).toEqual([401, 401]);
    await shop.owner.eraseCustomer(shop.a.id, "u1");
    expect([await buy(), await look()]).toEqual([401, 401]);
  });
});
