import type { JsonObject } from "./openapi-schemas.ts";

// The operations of the document refer to these headers, parameters and security schemes.

const text = (pattern?: string): JsonObject => ({
  type: "string",
  ...(pattern ? { pattern } : {}),
});
const header = (description: string, schema: JsonObject, example: unknown): JsonObject => ({
  description,
  schema,
  example,
});

export const requestIdExample = "req_01KEZBA4W0E2R4T6Y8P0S2D4FG";

export const headers = {
  "X-Request-Id": header(
    "Id of this request, also in the body, where a replay keeps the first one's.",
    text(),
    requestIdExample,
  ),
  "X-Test-Clock": header(
    "The time of the test mode, on answers to a test key whose store's clock was turned.",
    { type: "string", format: "date-time" },
    "2026-08-15T12:00:00.000Z",
  ),
  ETag: header(
    "Send it back as `If-None-Match`.",
    text('^W/"[^"]+"$'),
    'W/"q83vEjRWeJCrze8SNFZ4kKvN7xI"',
  ),
  "Cache-Control": header(
    "`private, no-cache` where there is an ETag, else `private, no-store`.",
    text(),
    "private, no-cache",
  ),
  Vary: header(
    "What the answer depends on.",
    text(),
    "Authorization, Origin, X-Service-Customer-Token",
  ),
  "Retry-After": header(
    "Seconds to wait before the same request is sent again.",
    { type: "integer", minimum: 1 },
    42,
  ),
  RateLimit: header(
    "What is left of the limit, and the seconds to its end (IETF draft). On limited operations.",
    text(),
    '"checkout";r=3;t=42',
  ),
  "RateLimit-Policy": header(
    "The limit: calls and seconds (IETF draft). On limited operations.",
    text(),
    '"checkout";q=10;w=60',
  ),
  "Idempotent-Replayed": header(
    "`true`: the answer of an earlier call with this key.",
    { type: "string", const: "true" },
    "true",
  ),
  "Original-Request-Id": header(
    "Id of the call that was answered first.",
    text(),
    requestIdExample,
  ),
  "WWW-Authenticate": header("The scheme to use.", { type: "string", const: "Bearer" }, "Bearer"),
  Deprecation: header("When the operation was deprecated (RFC 9745).", text(), "@1798761600"),
  Sunset: header("When the operation ends (RFC 8594).", text(), "Sat, 01 Jan 2028 00:00:00 GMT"),
  Link: header(
    "Where the deprecation is explained.",
    text(),
    '<https://docs.example.com/v2>; rel="deprecation"',
  ),
} as const satisfies Readonly<Record<string, JsonObject>>;

const headerParameter = (
  name: string,
  required: boolean,
  description: string,
  schema: JsonObject,
): JsonObject => ({ name, in: "header", required, description, schema });

/** A webhook delivery has these headers. */
export const signatureParameters = {
  Signature: headerParameter(
    "X-Service-Signature",
    true,
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 over `<t>.<raw body>` with the endpoint's secret. " +
      "Refuse a `t` more than 300 s away.",
    text("^t=[0-9]+(,v1=[0-9a-f]{64})+$"),
  ),
  EventId: headerParameter("X-Service-Event-Id", true, "`id` of the event.", text()),
  EventType: headerParameter("X-Service-Event-Type", true, "`type` of the event.", text()),
  Attempt: headerParameter("X-Service-Attempt", true, "Counts from 1.", {
    type: "integer",
    minimum: 1,
  }),
} as const satisfies Readonly<Record<string, JsonObject>>;

export const parameters = {
  IdempotencyKey: {
    ...headerParameter(
      "Idempotency-Key",
      true,
      "One per purchase, kept over retries. 1 to 255 visible ASCII characters.",
      text("^[\\x21-\\x7E]{1,255}$"),
    ),
    example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
  },
  IfNoneMatch: {
    ...headerParameter(
      "If-None-Match",
      false,
      "An `ETag` seen before: 304 when nothing changed.",
      text(),
    ),
    example: 'W/"q83vEjRWeJCrze8SNFZ4kKvN7xI"',
  },
  BuyerIp: {
    ...headerParameter(
      "X-Service-Buyer-IP",
      false,
      "Address of the buyer that a server calls for: " +
        "counted by the rate limit when the deployment allows it and the key is secret.",
      text(),
    ),
    example: "203.0.113.7",
  },
  ...signatureParameters,
} as const satisfies Readonly<Record<string, JsonObject>>;

const bearer = (description: string): JsonObject => ({
  type: "http",
  scheme: "bearer",
  description,
});

export const securitySchemes = {
  publishableKey: bearer(
    "`hk_live_pub_…` or `hk_test_pub_…`: may stand in a page or an app. Catalog and checkout.",
  ),
  // A parameter would have an invented value in what tools make of the document,
  // and a key that differs from the header's is refused.
  browserKey: {
    type: "apiKey",
    in: "query",
    name: "key",
    description:
      "The publishable key once more, on calls from a browser: " +
      "a preflight carries no `Authorization`. Servers leave it out.",
  },
  secretKey: bearer(
    "`hk_live_sec_…` or `hk_test_sec_…`: on the store's server only. " +
      "All scopes unless it was made with fewer.",
  ),
  customerToken: {
    type: "apiKey",
    in: "header",
    name: "X-Service-Customer-Token",
    description: "Says who the buyer is; issued by the store's server for a signed-in buyer.",
  },
} as const satisfies Readonly<Record<string, JsonObject>>;
