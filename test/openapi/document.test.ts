import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "vitrine/openapi";
import { publicErrors } from "../../src/contract/errors.ts";
import { eventTypes } from "../../src/contract/events.ts";
import { type Operation, paths } from "../../src/contract/paths.ts";
import { routes } from "../../src/contract/routes.ts";
import { check, checkAgainstDocument } from "../support/answer-check.ts";

// A plain copy: what a reader of the JSON sees.
const document = JSON.parse(
  JSON.stringify(
    openApiDocument({
      serverUrl: "https://api.example.com/v1",
      docsUrl: "https://docs.example.com/errors",
    }),
  ),
);
const operations = Object.values(document.paths).flatMap((item) => Object.values(item as object));

test("the document is valid OpenAPI 3.1 for two independent validators", async () => {
  const first = new Validator();
  expect(await first.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(first.version).toBe("3.1");
  expect(await validate(structuredClone(document))).toMatchObject({ valid: true, warnings: [] });
});

test("it holds every operation of the path table and all webhooks, and nothing else", () => {
  expect(operations.map(({ operationId }) => operationId)).toEqual(Object.keys(paths));
  expect(Object.keys(document.webhooks)).toEqual(eventTypes);
});

test("every public error is an answer of some operation, but those of no operation", () => {
  const listed = new Set(
    operations.flatMap(({ responses }) =>
      Object.values(
        responses as Record<string, { content?: Record<string, { examples?: object }> }>,
      ).flatMap((response) => Object.keys(response.content?.["application/json"]?.examples ?? {})),
    ),
  );
  expect(Object.keys(publicErrors).filter((code) => !listed.has(code))).toEqual([
    "route_not_found",
    "method_not_allowed",
    // The checkout page and `checkout.submit` answer with it.
    "too_many_attempts",
  ]);
});

test("a secret key is asked for exactly where the table says, with its scope", () => {
  for (const [operation, route] of Object.entries(routes)) {
    const { security } = operations.find(({ operationId }) => operationId === operation);
    const keys = new Set((security as object[]).flatMap((way) => Object.keys(way)));
    expect(keys.has("publishableKey"), operation).toBe(route.key === "any");
    expect(keys.has("browserKey"), operation).toBe(route.key === "any");
    // What an importer like Postman's takes asks for no key in the address.
    expect(Object.keys(security[0])).not.toContain("browserKey");
    expect(keys.has("customerToken"), operation).toBe("buyer" in route);
    if (route.scope) expect(JSON.stringify(security)).toContain(route.scope);
  }
});

test("every example fits its own schema, strictly", () => {
  for (const [name, schema] of Object.entries(
    document.components.schemas as Record<string, { examples?: unknown[] }>,
  )) {
    for (const example of schema.examples ?? []) check(`components/schemas/${name}`, example);
    if (name !== "Error") expect(schema.examples, name).toHaveLength(1);
  }
  for (const { value } of Object.values(
    document.components.examples as Record<string, { value: unknown }>,
  ))
    check("components/schemas/Error", value);
  for (const { operationId, requestBody, responses } of operations) {
    const body = requestBody?.content["application/json"];
    if (body) check(body.schema.$ref.slice(2), body.example);
    const success = Object.keys(responses).find((status) => status.startsWith("2")) ?? "";
    // A feed is no JSON, and has no example.
    if ("media" in routes[operationId as Operation].reply) continue;
    const { example } = responses[success].content["application/json"];
    const method = paths[operationId as Operation].split(" ")[0] ?? "";
    checkAgainstDocument(operationId, method, {
      status: Number(success),
      headers: {},
      body: example,
    });
  }
  for (const type of eventTypes) {
    const { schema, example } =
      document.webhooks[type].post.requestBody.content["application/json"];
    check(schema.$ref.slice(2), example);
    expect(example.type).toBe(type);
  }
});

test("metadata has its bounds in the schema, and no other object says that its names are texts", () => {
  const text = JSON.stringify(openApiDocument());
  expect(text.match(/"propertyNames":\{[^}]*\}/g)).toEqual([
    '"propertyNames":{"minLength":1,"maxLength":40}',
  ]);
  expect(text).toMatch(/"maxProperties":50\b/);
});

test("no `$ref` leads nowhere, and no schema, header or parameter is left unused", () => {
  const refs = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? ""),
  );
  for (const ref of refs) {
    const found = ref.split("/").reduce((at, part) => at?.[part], document);
    expect(found, ref).toBeDefined();
  }
  const unused = ["schemas", "headers", "parameters"].flatMap((kind) =>
    Object.keys(document.components[kind]).filter(
      (name) => !refs.has(`components/${kind}/${name}`),
    ),
  );
  expect(unused).toEqual(["Deprecation", "Sunset", "Link"]); // until an operation is deprecated
});

test("clients must accept additions: no object of ours is closed", () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test("the check of answers refuses an unlisted status, an unknown field and a code that the operation does not have", () => {
  const headers = {};
  const livemode = false;
  const request_id = "req_1";
  const error = {
    type: "x",
    code: "cursor_expired",
    message: "m",
    param: null,
    docs_url: "https://docs.example.com",
  };
  expect(() =>
    checkAgainstDocument("getStore", "GET", { status: 418, headers, body: null }),
  ).toThrow("418");
  expect(() =>
    checkAgainstDocument("getStore", "GET", {
      status: 400,
      headers,
      body: { error, livemode, request_id },
    }),
  ).toThrow("cursor_expired");
  expect(() =>
    checkAgainstDocument("listOrders", "GET", {
      status: 200,
      headers,
      body: { data: [], livemode, request_id },
    }),
  ).toThrow("has_more");
  const list = { data: [], has_more: false, next_cursor: null, livemode, request_id };
  checkAgainstDocument("listOrders", "GET", { status: 200, headers, body: list });
  expect(() =>
    checkAgainstDocument("listOrders", "GET", { status: 200, headers, body: { ...list, more: 1 } }),
  ).toThrow("additional properties");
  expect(() =>
    checkAgainstDocument("listOrders", "GET", {
      status: 200,
      headers: { "x-new": "1" },
      body: list,
    }),
  ).toThrow();
});
