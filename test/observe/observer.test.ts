import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { DeliveryEnd, DeliveryStart, Observer, RequestEnd, RequestStart } from "vitrine/otel";
import { redact } from "../../src/http/access/redact.ts";
import { createShop, type Shop } from "../support/shop.ts";

interface Heard {
  readonly requests: { start: RequestStart; end: RequestEnd }[];
  readonly deliveries: { start: DeliveryStart; end: DeliveryEnd }[];
}

function recorder(): Heard & { readonly observer: Observer } {
  const heard: Heard = { requests: [], deliveries: [] };
  return {
    ...heard,
    observer: {
      request: (start) => (end) => void heard.requests.push({ start, end }),
      delivery: (start) => (end) => void heard.deliveries.push({ start, end }),
    },
  };
}

describe("Observer", () => {
  let shop: Shop;
  let heard: ReturnType<typeof recorder>;
  beforeEach(async () => {
    heard = recorder();
    shop = await createShop(memoryStorage(), { observer: heard.observer });
  });

  test("a request is told with its operation, route, status, store and duration", async () => {
    const answer = await shop.get("/products/product-a", { key: shop.a.test.pub });
    expect(heard.requests).toHaveLength(1);
    expect(heard.requests[0]).toMatchObject({
      start: {
        request_id: answer.body.request_id,
        method: "GET",
        target: "/v1/products/product-a",
      },
      end: {
        operation: "getProduct",
        route: "/v1/products/{id_or_slug}",
        status: 200,
        error_code: null,
        store_id: shop.a.id,
        livemode: false,
      },
    });
    expect(heard.requests[0]?.end.duration_ms).toBeGreaterThanOrEqual(0);
  });

  test("an error is told with its code; a request without a route has no operation", async () => {
    await shop.get("/orders/ord_x", { key: shop.a.test.sec });
    await shop.get("/store");
    expect(
      heard.requests.map(({ end }) => [end.operation, end.status, end.error_code, end.store_id]),
    ).toEqual([
      ["getOrder", 404, "resource_not_found", shop.a.id],
      [null, 401, "missing_api_key", null],
    ]);
  });

  test("a delivery is told with its attempt, outcome and the origin of its URL alone", async () => {
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      url: "https://hooks.example.com/secret-in-path?token=1",
      livemode: false,
      event_types: ["order.paid"],
    });
    shop.receiver.answer = () => ({ ok: false, status: 500, error: "http_status" });
    await shop.buy();
    await shop.storefront.drainWebhooks();
    shop.receiver.answer = () => ({});
    shop.advance(61_000);
    await shop.storefront.drainWebhooks();
    expect(heard.deliveries).toMatchObject([
      {
        start: { event_type: "order.paid", attempt: 1, origin: "https://hooks.example.com" },
        end: { delivered: false, status: 500, error: "http_status" },
      },
      {
        start: { event_type: "order.paid", attempt: 2 },
        end: { delivered: true, status: 200, error: null },
      },
    ]);
    expect(JSON.stringify([heard, shop.log])).not.toContain("secret-in-path");
  });

  test("an observer that throws changes no answer and is reported", async () => {
    const broken = await createShop(memoryStorage(), {
      observer: {
        request: () => {
          throw new Error("at the start");
        },
      },
    });
    expect((await broken.get("/store", { key: broken.a.test.pub })).status).toBe(200);
    const late = await createShop(memoryStorage(), {
      observer: {
        request: () => () => {
          throw new Error("at the end");
        },
      },
    });
    expect((await late.get("/store", { key: late.a.test.pub })).status).toBe(200);
    expect([...broken.errors, ...late.errors].map(String)).toEqual([
      "Error: at the start",
      "Error: at the end",
    ]);
  });

  test("no key, token or secret reaches the log or the observer", async () => {
    const { a } = shop;
    const { secret } = await shop.owner.endpoints.create({
      store_id: a.id,
      url: "https://hooks.example.com/x",
      livemode: false,
      event_types: ["order.paid"],
    });
    const { token } = await shop.storefront.customers.issueToken({
      store_id: a.id,
      livemode: false,
      customer_id: "cus_1",
      ttl_seconds: 600,
    });
    const made = await shop.session({ customer: { email: "ana@example.com" } });
    await shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: a.method_id,
      customer: { name: "Ana", tax_id: "123.456.789-09" },
    });
    await shop.storefront.drainWebhooks();
    await shop.get("/customers/me/orders", {
      key: a.test.pub,
      headers: { "x-service-customer-token": token },
    });
    await shop.get(`/customers/me/orders?key=${a.test.pub}`, {
      key: a.test.pub,
      headers: { "x-service-customer-token": `${token}x` },
    });
    for (const name of ["key", "KEY", "%6Bey", "k%65y", "+key"])
      await shop.get(`/store?${name}=${a.live.sec}&x=1`, { key: a.live.sec });
    await shop.get(`/${a.test.sec}`, { key: a.test.sec });
    await shop.get(`/orders/${secret}`, { key: a.test.sec });
    const seen = JSON.stringify([shop.log, heard.requests, heard.deliveries]);
    expect(shop.log.length).toBeGreaterThan(10);
    for (const hidden of [
      a.test.pub,
      a.test.sec,
      a.live.sec,
      secret,
      token,
      shop.tokenOf(made),
      "123.456.789-09",
      "ana@example.com",
    ])
      expect(seen.includes(hidden), `${hidden.slice(0, 8)}… is in the log`).toBe(false);
    expect(seen).toContain("key=[redacted]");
  });
});

test.each([
  ["/v1/store?key=hk_test_pub_abc", "/v1/store?key=[redacted]"],
  ["/v1/store?limit=2&key=anything&page=1", "/v1/store?limit=2&key=[redacted]&page=1"],
  ["/v1/store?%6b%65%79=x", "/v1/store?%6b%65%79=[redacted]"],
  ["/v1/store?%zz=x", "/v1/store?%zz=[redacted]"],
  ["/v1/hk_live_sec_abc", "/v1/[redacted]"],
  ["/v1/store?monkey=1", "/v1/store?monkey=1"],
  ["/v1/store", "/v1/store"],
])("%s is logged as %s", (target, shown) => expect(redact(target)).toBe(shown));
