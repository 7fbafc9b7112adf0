import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { codeOf, createShop, type Shop, thrownBy } from "../support/shop.ts";

describe("buyer tokens of the host's own provider, verified by its published keys", () => {
  let shop: Shop;
  let server: Server;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let asked = 0;
  let published: object;
  beforeEach(async () => {
    keys = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "p1", alg: "ES256", use: "sig" };
    asked = 0;
    published = { keys: [jwk] };
    server = createServer((_request, response) => {
      asked += 1;
      response.setHeader("content-type", "application/json").end(JSON.stringify(published));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    shop = await createShop(memoryStorage(), {
      customerTokens: {
        jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
        issuer: "https://id.example.com",
        audience: "storefront",
        mapClaims: (claims) =>
          typeof claims["shop"] === "string"
            ? { customer_id: claims.sub ?? "", store_id: claims["shop"], livemode: false }
            : null,
      },
    });
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const seconds = () => Math.floor(shop.now() / 1000);
  const sign = (
    claims: object = {},
    header: object = {},
    key: Parameters<SignJWT["sign"]>[0] = keys.privateKey,
  ) =>
    new SignJWT({
      iss: "https://id.example.com",
      aud: "storefront",
      sub: "u1",
      shop: shop.a.id,
      iat: seconds(),
      exp: seconds() + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", kid: "p1", ...header })
      .sign(key);
  const mine = (token: string) =>
    shop.get("/customers/me/orders", {
      key: shop.a.test.pub,
      headers: { "x-service-customer-token": token },
    });

  test("a token of the provider lists the buyer's orders; its keys are fetched once", async () => {
    const token = await sign();
    const order = await shop.buy({}, { headers: { "x-service-customer-token": token } });
    const { body } = await mine(token);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([order.id]);
    expect(asked).toBe(1);
  });

  test("a token that the host maps to one mode is invalid in the other", async () => {
    const headers = { "x-service-customer-token": await sign() };
    const answer = await shop.get("/customers/me/orders", { key: shop.a.live.pub, headers });
    expect(codeOf(answer)).toEqual([401, "invalid_customer_token"]);
  });

  test("a token that is not for this store is invalid; one past its time is expired", async () => {
    const stranger = await generateKeyPair("ES256");
    for (const token of [
      await sign({ iss: "https://evil.example.com" }),
      await sign({ aud: "other" }),
      await sign({ shop: shop.b.id }),
      await sign({ shop: undefined }),
      await sign({ sub: "" }),
      await sign({ sub: "u\u0000" }),
      await sign({ iat: seconds() + 60 }),
      await sign({}, {}, stranger.privateKey),
      await sign({}, { alg: "HS256" }, new Uint8Array(32)),
      await sign({}, { kid: "p9" }),
      "a.b.c",
    ])
      expect(codeOf(await mine(token))).toEqual([401, "invalid_customer_token"]);
    expect(codeOf(await mine(await sign({ iat: seconds() - 120, exp: seconds() - 31 })))).toEqual([
      401,
      "customer_token_expired",
    ]);
  });

  test("revokeTokens refuses the tokens that were issued before it", async () => {
    const token = await sign();
    shop.advance(2_000);
    await shop.storefront.customers.revokeTokens({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "u1",
    });
    expect(codeOf(await mine(token))).toEqual([401, "invalid_customer_token"]);
    expect((await mine(await sign({ iat: seconds() + 1 }))).status).toBe(200);
  });

  test("what mapClaims throws is 500, and the host hears of it as of any fault of a request", async () => {
    const fault = new TypeError("claims.shop is undefined");
    const faulty = await createShop(memoryStorage(), {
      customerTokens: {
        jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
        issuer: "https://id.example.com",
        audience: "storefront",
        mapClaims: () => {
          throw fault;
        },
      },
    });
    const answer = await faulty.get("/customers/me/orders", {
      key: faulty.a.test.pub,
      headers: { "x-service-customer-token": await sign() },
    });
    expect(codeOf(answer)).toEqual([500, "internal_error"]);
    expect(faulty.errors).toEqual([fault]);
  });

  test("a provider whose answer is no key set is 503 and is asked again", async () => {
    const good = published;
    published = { message: "We will be back soon." };
    expect(codeOf(await mine(await sign()))).toEqual([503, "service_unavailable"]);
    published = good;
    expect((await mine(await sign())).status).toBe(200);
  });

  test("a provider that cannot be reached is 503; tokens are not issued here", async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    expect(codeOf(await mine(await sign()))).toEqual([503, "service_unavailable"]);
    server.listen(0);
    expect(
      await thrownBy(
        shop.storefront.customers.issueToken({
          store_id: shop.a.id,
          livemode: false,
          customer_id: "u1",
        }),
      ),
    ).toMatchObject({ code: "invalid_option" });
  });
});
