import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { CustomerTokenOptions } from "vitrine";
import { codeOf, createShop, thrownBy, tokenSecret } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

/** A host whose tokens are `{user}.{store}.{mode}`, as its own sessions might be. */
const sessions: CustomerTokenOptions = {
  keys: [{ kid: "k1", alg: "HS256", secret: tokenSecret }],
  async verify(token, { store_id, livemode }) {
    if (token === "broken") throw new Error("the session store is down");
    if (token === "late") return "expired";

    const [customer_id = "", store, mode, issued_at] = token.split(".");
    const isOfStore = store === store_id && mode === (livemode ? "live" : "test");
    return isOfStore ? { customer_id, issued_at: Number(issued_at) } : null;
  },
};

describe.each(storages)("buyer tokens that the host's own code reads, on %s", (_name, open) => {
  const openShop = async (customerTokens = sessions) => {
    const shop = await createShop(await open(), { customerTokens });
    const mine = (token: string, key = shop.a.test.pub) =>
      shop.get("/customers/me/orders", { key, headers: { "x-service-customer-token": token } });
    const tokenOf = (user: string) => `${user}.${shop.a.id}.test.${shop.now()}`;
    return { shop, mine, tokenOf };
  };

  test("name the buyer of a session, whose orders they list", async () => {
    const { shop, mine, tokenOf } = await openShop();
    const headers = { "x-service-customer-token": tokenOf("u1") };
    const order = await shop.buy({}, { headers });
    const { body } = await mine(tokenOf("u1"));
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([order.id]);
    expect((await mine(tokenOf("u2"))).body.data).toEqual([]);
  });

  test("stand beside tokens that are signed here", async () => {
    const { shop, mine, tokenOf } = await openShop();
    const where = { store_id: shop.a.id, livemode: false, customer_id: "u1" };
    const { token } = await shop.storefront.customers.issueToken(where);
    await shop.buy({}, { headers: { "x-service-customer-token": token } });
    expect((await mine(token)).body.data).toHaveLength(1);
    expect((await mine(tokenOf("u1"))).body.data).toHaveLength(1);

    const forged = await new SignJWT({ livemode: false })
      .setProtectedHeader({ alg: "HS256", typ: "customer+jwt", kid: "k1" })
      .setSubject("u1")
      .sign(new Uint8Array(32).fill(9));
    expect(codeOf(await mine(forged))).toEqual([401, "invalid_customer_token"]);
  });

  test("are refused for another store or mode, expired, and when the host's code fails", async () => {
    const { shop, mine, tokenOf } = await openShop();
    const other = `u1.${shop.b.id}.test.${shop.now()}`;
    expect(codeOf(await mine(other))).toEqual([401, "invalid_customer_token"]);
    expect(codeOf(await mine(tokenOf("u1"), shop.a.live.pub))).toEqual([
      401,
      "invalid_customer_token",
    ]);
    expect(codeOf(await mine(tokenOf("")))).toEqual([401, "invalid_customer_token"]);
    expect(codeOf(await mine("late"))).toEqual([401, "customer_token_expired"]);
    expect(codeOf(await mine("broken"))).toEqual([500, "internal_error"]);
  });

  test("are revoked by their time, and those without a time by any revocation", async () => {
    const { shop, mine, tokenOf } = await openShop({
      verify: (token) => {
        const [customer_id = "", time] = token.split("@");
        return { customer_id, ...(time !== undefined && { issued_at: Number(time) }) };
      },
    });
    const before = `u1@${shop.now()}`;
    expect([(await mine(before)).status, (await mine("u1")).status]).toEqual([200, 200]);
    shop.advance(1_000);
    const where = { store_id: shop.a.id, livemode: false, customer_id: "u1" };
    await shop.storefront.customers.revokeTokens(where);
    expect(codeOf(await mine(before))).toEqual([401, "invalid_customer_token"]);
    expect(codeOf(await mine("u1"))).toEqual([401, "invalid_customer_token"]);
    expect((await mine(`u1@${shop.now() + 1}`)).status).toBe(200);

    const unable = shop.storefront.customers.issueToken({ ...where, customer_id: "u2" });
    expect(await thrownBy(unable)).toMatchObject({ code: "invalid_option" });
    expect(tokenOf("u1")).toContain(shop.a.id);
  });
});
