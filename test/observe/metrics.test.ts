import { describe, expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import { alertTypes } from "../../src/rules/owner/alert-types.ts";
import { readText } from "../support/markdown.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const token = "Bearer metrics-token";
const metrics = {
  authorize: (request: { header(name: string): string | undefined }) =>
    request.header("authorization") === token,
};

async function scrape(shop: Shop, authorization: string | undefined = token, method = "GET") {
  return shop.storefront.serve({
    method,
    target: "/v1/metrics",
    header: (name) => (name === "authorization" ? authorization : undefined),
    body: async () => null,
  });
}

/** The value of one line; undefined where there is none. */
async function sampleOf(shop: Shop, line: string): Promise<string | undefined> {
  const text = String((await scrape(shop))?.body);
  return text
    .split("\n")
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1);
}

describe("GET /metrics", () => {
  test.each(storages)("gives the numbers of requests, webhooks and %s", async (_name, open) => {
    const shop = await createShop(await open(), { metrics });
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://hooks.example.com/x",
      event_types: ["order.paid"],
    });
    await shop.buy();
    await shop.get("/products/product-a", { key: shop.a.test.pub });

    const product = 'method="GET",route="/v1/products/{id_or_slug}",status="200",code=""';
    expect(await sampleOf(shop, `vitrine_requests_total{${product}}`)).toBe("1");
    expect(await sampleOf(shop, 'vitrine_idempotency_total{outcome="new"}')).toBe("1");
    expect(await sampleOf(shop, "vitrine_webhooks_due")).toBe("1");
    expect(await sampleOf(shop, "vitrine_storage_up")).toBe("1");

    await shop.storefront.drainWebhooks();
    expect(await sampleOf(shop, 'vitrine_webhook_attempts_total{outcome="delivered"}')).toBe("1");
    // What comes from the storage is read anew after 15 seconds.
    expect(await sampleOf(shop, "vitrine_webhooks_due")).toBe("1");
    shop.advance(15_000);
    expect(await sampleOf(shop, "vitrine_webhooks_due")).toBe("0");
    expect(shop.errors).toEqual([]);
  });

  test("is 404 without the option, for a refusal, for anything but true and for a throw", async () => {
    const authorizes = [
      () => false,
      () => "yes" as unknown as boolean,
      () => Promise.resolve(false),
      () => {
        throw new Error("broken");
      },
    ];
    const unknown = await scrape(await createShop(memoryStorage()));
    expect(unknown?.status).toBe(404);
    for (const authorize of authorizes) {
      const refused = await scrape(await createShop(memoryStorage(), { metrics: { authorize } }));
      expect(refused).toMatchObject({ status: 404, headers: { "content-type": /json/ } });
    }
  });

  test("simultaneous scrapes ask the storage once, and one that fails gives storage_up 0", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.reject(new Error("down"));
    };
    Object.assign(shop.storage.gauges, { read });
    const replies = await Promise.all(Array.from({ length: 5 }, () => scrape(shop)));

    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200 });
      expect(reply?.body).toContain("vitrine_storage_up 0\n");
      expect(reply?.body).not.toContain("vitrine_webhooks_due");
    }
    expect([asked, shop.errors.length]).toEqual([1, 1]);
  });

  test("a leaked key counts as an alert; every type stands at zero before its first", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    const leaked = 'vitrine_alerts_total{type="secret_key_in_browser"}';
    expect(await sampleOf(shop, leaked)).toBe("0");
    await shop.get(`/store?key=${shop.a.test.sec}`);
    expect(await sampleOf(shop, leaked)).toBe("1");
  });

  test("a purchase counts a session, a payment by gateway, calls of the storage and cache hits", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    expect(await sampleOf(shop, 'vitrine_sessions_total{outcome="paid"}')).toBe("0");
    await shop.buy();
    await shop.get("/products", { key: shop.a.test.pub });
    await shop.get("/products", { key: shop.a.test.pub });

    const samples: readonly (readonly [sample: string, value: string])[] = [
      ['vitrine_sessions_total{outcome="created"}', "1"],
      ['vitrine_sessions_total{outcome="paid"}', "1"],
      ['vitrine_payments_total{gateway="sandbox",outcome="paid"}', "1"],
      ['vitrine_cache_lookups_total{cache="answers",outcome="hit"}', "1"],
      ['vitrine_cache_lookups_total{cache="answers",outcome="miss"}', "1"],
    ];
    for (const [sample, value] of samples) expect(await sampleOf(shop, sample)).toBe(value);
    const { body } = (await scrape(shop)) ?? {};
    expect(body).toMatch(
      /vitrine_storage_call_duration_seconds_count\{call="orders\.applyPayment",outcome="ok"\} 1\n/,
    );
  });

  test("a session whose order fails counts once, and so does its payment", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    const order = await shop.buy({}, {}, { input: { outcome: "decline" } });
    expect(order.status).toBe("failed");
    const failed = 'vitrine_payments_total{gateway="sandbox",outcome="failed"}';
    expect(await sampleOf(shop, failed)).toBe("1");
    expect(await sampleOf(shop, 'vitrine_sessions_total{outcome="failed"}')).toBe("1");
  });

  test("the lag of a relay is a gauge of the process that runs it", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    const stop = new AbortController();
    const relay = shop.storefront.relayEvents({
      consumer: "bus",
      signal: stop.signal,
      publish: () => Promise.reject(new Error("The broker is down.")),
    });
    await shop.buy();
    const lag = 'vitrine_consumer_lag_events{consumer="bus"}';
    const readAnew = async (): Promise<number> => {
      shop.advance(15_000);
      return Number(await sampleOf(shop, lag));
    };
    await expect.poll(readAnew).toBeGreaterThan(0);
    stop.abort();
    await relay;
    shop.errors.length = 0;
  });

  test("a consumer whose options are refused is no gauge", async () => {
    const shop = await createShop(memoryStorage(), { metrics });
    const options = { consumer: "", signal: new AbortController().signal };
    await expect(shop.storefront.consumeEvents(options, () => {})).rejects.toThrow("consumer");
    await expect(
      shop.storefront.relayEvents({ ...options, publish: async () => {} }),
    ).rejects.toThrow("consumer");
    expect((await scrape(shop))?.body).not.toContain("vitrine_consumer_lag_events{");
  });

  test("an observer that throws keeps nothing from the sums", async () => {
    let calls = 0;
    const broken = () => {
      calls += 1;
      throw new Error(`broken ${calls}`);
    };
    const observer = { request: broken, session: broken, payment: broken };
    const shop = await createShop(memoryStorage(), { metrics, observer });
    await shop.buy();
    expect(await sampleOf(shop, 'vitrine_sessions_total{outcome="created"}')).toBe("1");
    const paid = 'vitrine_payments_total{gateway="sandbox",outcome="paid"}';
    expect(await sampleOf(shop, paid)).toBe("1");
    const { body } = (await scrape(shop)) ?? {};
    expect(body).toMatch(/vitrine_requests_total\{method="POST",[^}]*status="201"[^}]*\} 1\n/);
    expect(shop.errors.length).toBeGreaterThan(2);
    shop.errors.length = 0;
  });

  test("an observer that throws is reported, and changes no answer", async () => {
    let calls = 0;
    const broken = () => {
      calls += 1;
      throw new Error(`broken ${calls}`);
    };
    const observer = { session: broken, payment: broken, cacheLookup: broken, storageCall: broken };
    const shop = await createShop(memoryStorage(), { observer: { ...observer, gauges: broken } });
    await shop.buy();
    expect(shop.errors.length).toBeGreaterThan(5);
    shop.errors.length = 0;
  });

  test("no sum names a store unless it is asked for", async () => {
    const plain = await createShop(memoryStorage(), { metrics });
    await plain.get("/store", { key: plain.a.test.pub });
    expect((await scrape(plain))?.body).not.toContain(plain.a.id);

    const labels = { store: true };
    const named = await createShop(memoryStorage(), { metrics: { ...metrics, labels } });
    await named.get("/store", { key: named.a.test.pub });
    expect((await scrape(named))?.body).toContain(`store_id="${named.a.id}"`);
  });

  test("the option without authorize is refused at start-up", () => {
    const options = { publicUrl: "https://a.example", checkout: { baseUrl: "https://b.example" } };
    const wrong = { metrics: {} as typeof metrics };
    expect(() => createStorefront({ storage: memoryStorage(), ...options, ...wrong })).toThrow(
      "Option metrics.authorize is missing",
    );
  });
});

test("the contract lists every type of alert that begins at zero", () => {
  const [, table = ""] = readText("docs/contract/operation.md").split(/^\| alert .*\n\|.*\n/m);
  const listed = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `(\w+)`/gm)];
  expect(listed.map(([, type]) => type)).toEqual([...alertTypes]);
});
