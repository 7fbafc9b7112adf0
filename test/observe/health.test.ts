import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const request = (method = "GET") => ({
  method,
  target: "/v1/healthz",
  header: () => undefined,
  body: async () => null,
});

test.each(storages)(
  "GET /healthz answers 200 without a key while %s answers",
  async (_name, open) => {
    const { storefront } = await createShop(await open(), { healthz: true });
    expect(await storefront.serve(request())).toMatchObject({
      status: 200,
      body: '{"status":"ok"}',
      headers: { "cache-control": "no-store" },
    });
    expect(await storefront.serve(request("HEAD"))).toMatchObject({ status: 200, body: null });
  },
);

test("a failing storage is 503 without a reason and is asked once a second at most", async () => {
  const shop = await createShop(memoryStorage(), { healthz: true });
  let asked = 0;
  Object.assign(shop.storage.access, {
    findAccess: () => {
      asked += 1;
      return Promise.reject(new Error("secret detail"));
    },
  });
  for (let turn = 0; turn < 5; turn += 1)
    expect(await shop.storefront.serve(request())).toMatchObject({
      status: 503,
      body: '{"status":"unavailable"}',
      headers: { "retry-after": "1" },
    });
  expect([asked, shop.errors.length]).toEqual([1, 1]);
  shop.advance(1_000);
  await shop.storefront.serve(request());
  expect(asked).toBe(2);
});

test("without the option it is no path: 404 without a key", async () => {
  const { storefront } = await createShop(memoryStorage());
  expect((await storefront.serve(request()))?.status).toBe(404);
});
