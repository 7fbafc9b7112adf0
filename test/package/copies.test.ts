import { expect, test } from "vitest";
import { ApiError, createStorefront, isApiError, memoryStorage } from "vitrine";

/** A second copy of the package in this process, like two versions in one node_modules tree. */
const copy: typeof import("../../src/contract/errors.ts") = await import(
  /* @vite-ignore */ `../../src/contract/errors.ts?${"copy"}`
);

test("two copies of the package recognise each other's errors, and nothing else's", () => {
  expect(copy.ApiError).not.toBe(ApiError);
  const foreign = new copy.ApiError("resource_not_found");
  expect(foreign).not.toBeInstanceOf(ApiError);
  expect(isApiError(foreign)).toBe(true);
  expect(copy.isApiError(new ApiError("coupon_invalid"))).toBe(true);
  for (const other of [new Error("x"), { code: "resource_not_found" }, null, undefined, "ApiError"])
    expect(isApiError(other)).toBe(false);
});

test("an error of the other copy thrown inside a request keeps its code and status", async () => {
  const storage = memoryStorage();
  Object.assign(storage.access, {
    findAccess: () => Promise.reject(new copy.ApiError("service_unavailable", { retry_after: 7 })),
  });
  const logged: object[] = [];
  const write = (details: object): void => void logged.push(details);
  const storefront = createStorefront({
    storage,
    docsUrl: "https://docs.example.com",
    checkout: { baseUrl: "https://pay.example.com" },
    logger: { debug: write, info: write, warn: write, error: write },
  });
  const { key } = await (async () => {
    const store = await storefront.owner.stores.create({ name: "A", currency: "BRL" });
    return storefront.owner.keys.create({
      store_id: store.id,
      livemode: false,
      kind: "publishable",
    });
  })();
  const response = await storefront.handler(
    new Request("http://h/v1/store", { headers: { authorization: `Bearer ${key}` } }),
  );
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
  expect(JSON.stringify(logged)).toContain("service_unavailable");
});
