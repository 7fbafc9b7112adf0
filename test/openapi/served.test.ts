import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { eventTypes, memoryStorage } from "vitrine";
import { openApiDocument } from "vitrine/openapi";
import { publicErrors } from "../../src/contract/errors.ts";
import { docsSite } from "../support/docs-site.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop } from "../support/shop.ts";

const request = (target: string, method = "GET", headers: Record<string, string> = {}) => ({
  method,
  target,
  header: (name: string) => headers[name],
  body: async () => null,
});

test("GET /openapi.json is answered without a key: the exported document, for this deployment", async () => {
  const { storefront, calls } = await createShop(memoryStorage(), { basePath: "/shop/v1" });
  calls.length = 0;
  const reply = await storefront.serve(request("/shop/v1/openapi.json"));
  expect(reply).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=300",
    },
  });
  expect(reply?.headers["x-request-id"]).toMatch(/^req_/);
  const expected = openApiDocument({
    serverUrl: "/shop/v1",
    docsUrl: "https://docs.example.com/errors",
  });
  expect(JSON.parse((await textOf(reply?.body)) ?? "")).toEqual(
    JSON.parse(JSON.stringify(expected)),
  );
  expect(calls).toEqual([]);
});

test("the document's server is absolute where `publicUrl` is given", async () => {
  const { storefront } = await createShop(memoryStorage(), {
    publicUrl: "https://api.example.org",
    basePath: "/shop/v1",
  });
  const reply = await storefront.serve(request("/shop/v1/openapi.json"));
  expect(JSON.parse((await textOf(reply?.body)) ?? "").servers).toEqual([
    { url: "https://api.example.org/shop/v1" },
  ]);
});

test("HEAD has no body, a matching ETag is a 304, any other method needs a key", async () => {
  const { storefront } = await createShop(memoryStorage());
  for (const path of [
    "/v1/openapi.json",
    "/v1/docs",
    "/v1/docs/errors",
    "/v1/docs/catalog",
    "/v1/docs/search.json",
    "/v1/docs/docs.css",
    "/v1/docs/docs.js",
  ]) {
    const first = await storefront.serve(request(path, "HEAD"));
    expect(first).toMatchObject({ status: 200, body: null });
    const etag = first?.headers["etag"] ?? "";
    expect(etag).toMatch(/^W\/"/);
    expect(await storefront.serve(request(path, "GET", { "if-none-match": etag }))).toMatchObject({
      status: 304,
      body: null,
      headers: { etag },
    });
    expect((await storefront.serve(request(path, "POST")))?.status).toBe(401);
  }
  for (const path of ["/v1/docs/", "/v1/docs/other", "/v1/docs/__proto__"])
    expect((await storefront.serve(request(path)))?.status, path).toBe(404);
  for (const path of ["/v1/openapi", "/v1/__proto__", "/v1constructor"])
    expect((await storefront.serve(request(path)))?.status ?? 401, path).toBe(401);
});

test("the pages have an anchor per operation, event and schema, and link to every error", async () => {
  const { storefront } = await createShop(memoryStorage());
  const site = docsSite(storefront);
  const pages = await Promise.all((await site.paths()).slice(1).map((path) => site.page(path)));
  const whole = pages.map(({ body }) => body).join("");
  const document = openApiDocument();
  const ids = [
    ...Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
    ...Object.keys(document.webhooks),
    ...Object.keys(document.components["schemas"] ?? {}).map((name) => `schema-${name}`),
  ];
  for (const id of ids) expect(whole.split(`id="${id}"`), id).toHaveLength(2);
  for (const code of Object.keys(publicErrors).filter(
    (name) => !/^(route_not_found|method_not_allowed|too_many_attempts)$/.test(name),
  ))
    expect(whole).toContain(`href="../docs/errors#${code}"`);
  for (const { body, headers } of [await site.page("/docs"), ...pages]) {
    expect(body).not.toMatch(/<style|<img| style=| on[a-z]+=|<script>/);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
  }
});

test("the pages name the bounds of what is sent, and each kind of key once", async () => {
  const { storefront } = await createShop(memoryStorage());
  const site = docsSite(storefront);
  const pages = await Promise.all((await site.paths()).map((path) => site.page(path)));
  const text = pages.map(({ body }) => body.replace(/<[^>]+>/g, "")).join("");

  for (const line of [
    "limit query, integer, 1 to 100Rows of a page, 20 by default.",
    "items array of object, 1 to 100 of them",
    "quantity integer, 1 to 999",
    "product_id string, at most 255 characters",
    "email string or null, at most 254 characters, optional",
    "metadata object or null, at most 50 entries, optional",
    "Key: publishableKey, or secretKey; scope checkout:write or orders:read",
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/undefined|NaN/);
});

describe.each(eventTypes)("GET /schemas/events/%s.json", (type) => {
  test("is JSON Schema 2020-12 without a key: the example fits, another type does not", async () => {
    const { storefront, calls } = await createShop(memoryStorage(), {
      publicUrl: "https://api.example.org",
    });
    calls.length = 0;
    const reply = await storefront.serve(request(`/v1/schemas/events/${type}.json`));
    expect(reply).toMatchObject({
      status: 200,
      headers: { "content-type": "application/schema+json" },
    });
    const schema = JSON.parse((await textOf(reply?.body)) ?? "");
    expect(schema.$id).toBe(`https://api.example.org/v1/schemas/events/${type}.json`);
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");

    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const [example] = schema.examples;
    expect(fits({ ...example, added_later: 1 })).toBe(true);
    expect(fits({ ...example, type: "webhook.test" })).toBe(false);
    expect(fits({ ...example, data: {} })).toBe(false);
    expect(calls).toEqual([]);

    const docs = await storefront.serve(request("/v1/docs/webhooks"));
    expect(await textOf(docs?.body)).toContain(`href="../schemas/events/${type}.json"`);
  });
});

test("a schema of no event type is 404", async () => {
  const { storefront } = await createShop(memoryStorage());
  const reply = await storefront.serve(request("/v1/schemas/events/order.lost.json"));
  expect(reply?.status).toBe(404);
});
