import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import { codeOf, createShop, faultOf, origin, type Shop, tokenSecret } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("buyer tokens, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });
  const mine = (token: string | undefined, key = shop.a.test.pub) =>
    shop.get("/customers/me/orders", {
      key,
      headers: token === undefined ? {} : { "x-service-customer-token": token },
    });
  const issue = async (customer_id = "u1", ttl_seconds = 3600) =>
    (
      await shop.storefront.customers.issueToken({
        store_id: shop.a.id,
        livemode: false,
        customer_id,
        ttl_seconds,
      })
    ).token;
  const seconds = () => Math.floor(shop.now() / 1000);
  const forge = (
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key: Parameters<SignJWT["sign"]>[0] = tokenSecret,
  ) =>
    new SignJWT({
      iss: "vitrine",
      aud: shop.a.id,
      sub: "u1",
      iat: seconds(),
      exp: seconds() + 60,
      jti: "j",
      livemode: false,
      ...claims,
    })
      .setProtectedHeader({ alg: "HS256", typ: "customer+jwt", kid: "k1", ...header })
      .sign(key);

  test("with either kind of key a token lists the buyer's own orders and no others", async () => {
    const token = await issue();
    const own = await shop.buy({}, { headers: { "x-service-customer-token": token } });
    await shop.buy();
    for (const key of [shop.a.test.pub, shop.a.test.sec]) {
      const { body } = await mine(token, key);
      expect(body.data.map((order: { id: string }) => order.id)).toEqual([own.id]);
      expect(body.data[0].customer.id).toBe("u1");
      expect(body.data[0]).not.toHaveProperty("metadata");
    }
    expect((await mine(await issue("someone else"))).body.data).toEqual([]);
  });

  test("from a registered origin a token lists the buyer's own orders alone", async () => {
    const { status, body } = await shop.get(`/customers/me/orders?key=${shop.a.test.pub}`, {
      key: shop.a.test.pub,
      headers: { origin, "x-service-customer-token": await issue() },
    });
    expect([status, body.data]).toEqual([200, []]);
  });

  test("no token is missing_customer_token; a token without a key is missing_api_key", async () => {
    expect(faultOf(await mine(undefined))).toEqual([
      401,
      "missing_customer_token",
      "X-Service-Customer-Token",
    ]);
    expect(
      codeOf(
        await shop.get("/customers/me/orders", {
          headers: { "x-service-customer-token": await issue() },
        }),
      ),
    ).toEqual([401, "missing_api_key"]);
  });

  test("a session request with a wrong token is refused, not anonymous", async () => {
    expect(
      codeOf(await shop.session({}, { headers: { "x-service-customer-token": "a.b.c" } })),
    ).toEqual([401, "invalid_customer_token"]);
  });

  test("unsigned, cut, foreign and malformed tokens are invalid", async () => {
    const [, payload, signature] = (await issue()).split(".");
    const head = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const token of [
      `${head({ alg: "none", typ: "customer+jwt", kid: "k1" })}.${payload}.`,
      `${head({ alg: "NONE", typ: "customer+jwt", kid: "k1" })}.${payload}.${signature}`,
      "a.b.",
      "a.b",
      "a.b.c.d.e",
      "!.!.!",
      "x".repeat(16_384),
      await forge({}, {}, new Uint8Array(32).fill(1)),
    ]) {
      expect(codeOf(await mine(token)), token.slice(0, 40)).toEqual([
        401,
        "invalid_customer_token",
      ]);
    }
  });

  test("a key is found by its exact kid and never by other claims of the token", async () => {
    for (const header of [
      { kid: "../../dev/null" },
      { kid: "' UNION SELECT" },
      { kid: "k".repeat(5000) },
      { kid: undefined },
      { jku: "https://evil.com" },
      { x5u: "https://evil.com" },
      { jwk: {} },
      { typ: "JWT" },
    ]) {
      expect(codeOf(await mine(await forge({}, header)))).toEqual([401, "invalid_customer_token"]);
    }
  });

  test("times are judged with 30 s of tolerance", async () => {
    expect((await mine(await forge({ exp: seconds() - 29 }))).status).toBe(200);
    expect(codeOf(await mine(await forge({ exp: seconds() - 31 })))).toEqual([
      401,
      "customer_token_expired",
    ]);
    for (const claims of [
      { nbf: seconds() + 60 },
      { iat: seconds() + 60 },
      { exp: undefined },
      { iat: undefined },
      { sub: undefined },
      { jti: undefined },
      { livemode: undefined },
      { exp: seconds() + 90_000 },
      { iss: "other" },
      { aud: [shop.a.id, "x"] },
    ]) {
      expect(codeOf(await mine(await forge(claims))), JSON.stringify(claims)).toEqual([
        401,
        "invalid_customer_token",
      ]);
    }
  });

  test("a token expires when its time is over", async () => {
    const token = await issue("u1", 60);
    shop.advance(95_000);
    expect(codeOf(await mine(token))).toEqual([401, "customer_token_expired"]);
  });

  test("a revocation refuses earlier tokens in the same read as the orders", async () => {
    const token = await issue();
    shop.advance(2_000);
    await shop.storefront.customers.revokeTokens({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "u1",
    });
    shop.calls.length = 0;
    expect(codeOf(await mine(token))).toEqual([401, "invalid_customer_token"]);
    expect(shop.calls).toEqual(["access.findAccess", "orders.listCustomerOrders"]);
    shop.advance(1_000);
    expect((await mine(await issue())).status).toBe(200);
  });

  test("in the second of the revocation, only tokens issued before it are refused", async () => {
    shop.advance(300);
    const before = await issue();
    shop.advance(100);
    await shop.storefront.customers.revokeTokens({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "u1",
    });
    shop.advance(100);
    expect(codeOf(await mine(before))).toEqual([401, "invalid_customer_token"]);
    expect((await mine(await issue())).status).toBe(200);
  });

  test("EdDSA works beside HS256, and a ring of keys rotates", async () => {
    const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const ring = await createShop(await open(), {
      customerTokens: {
        keys: [
          { kid: "new", alg: "EdDSA", publicKey: pair.publicKey, privateKey: pair.privateKey },
          { kid: "k1", alg: "HS256", secret: tokenSecret },
        ],
      },
    });
    const { token } = await ring.storefront.customers.issueToken({
      store_id: ring.a.id,
      livemode: false,
      customer_id: "u1",
    });
    const ask = (value: string) =>
      ring.get("/customers/me/orders", {
        key: ring.a.test.pub,
        headers: { "x-service-customer-token": value },
      });
    expect((await ask(token)).status).toBe(200);
    const old = await forge({ aud: ring.a.id });
    expect((await ask(old)).status).toBe(200);
    // The public key is no secret: HS256 over its text must not verify under the EdDSA kid.
    const confused = await forge(
      { aud: ring.a.id },
      { kid: "new" },
      new TextEncoder().encode(await exportSPKI(pair.publicKey)),
    );
    expect(codeOf(await ask(confused))).toEqual([401, "invalid_customer_token"]);
  });
});

describe("buyer token keys at start-up", () => {
  const start = (keys: unknown) => () =>
    createStorefront({
      storage: memoryStorage(),
      checkout: { baseUrl: "https://p.example.com" },
      docsUrl: "https://d.example.com",
      customerTokens: { keys } as never,
    });

  test("a short secret, no key, or two keys of one kid are refused with the reason", () => {
    const key = { kid: "a", alg: "HS256", secret: new Uint8Array(32) };
    expect(start([{ ...key, secret: new Uint8Array(31) }])).toThrow(/32 random bytes/);
    expect(start([])).toThrow(/at least one key/);
    expect(start([key, key])).toThrow(/kid/);
    expect(start([{ ...key, alg: "RS256" }])).toThrow(/HS256 or EdDSA/);
  });

  test("a request for a token that names no buyer of a store and mode is refused by name", async () => {
    const shop = await createShop(memoryStorage());
    const request = { store_id: shop.a.id, livemode: false, customer_id: "u" };
    for (const customers of [shop.storefront.customers, shop.storefront.as("staff").customers])
      for (const field of ["store_id", "livemode", "customer_id", "ttl_seconds"])
        for (const wrong of [null, [], {}, "", 1n, Number.NaN]) {
          const issued = customers.issueToken({ ...request, [field]: wrong });
          await expect(issued, `${field} ${typeof wrong}`).rejects.toMatchObject({
            code:
              wrong === null && field !== "ttl_seconds" ? "parameter_missing" : "parameter_invalid",
            param: field,
          });
        }
  });

  test("without customerTokens every token is invalid and none can be issued", async () => {
    const shop = await createShop(memoryStorage(), { customerTokens: undefined });
    expect(
      codeOf(
        await shop.get("/customers/me/orders", {
          key: shop.a.test.pub,
          headers: { "x-service-customer-token": "a.b.c" },
        }),
      ),
    ).toEqual([401, "invalid_customer_token"]);
    await expect(
      shop.storefront.customers.issueToken({
        store_id: shop.a.id,
        livemode: false,
        customer_id: "u",
      }),
    ).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});
