import { type PublicErrorCode, publicErrors } from "../errors.ts";
import type { Route } from "../route.ts";
import { errorsOf } from "../route-errors.ts";
import { type headers, requestIdExample } from "./openapi-parts.ts";
import { exampleOf, type JsonObject, nameOf, schemaRef } from "./openapi-schemas.ts";

/** Describes every answer of a route. */
export const responsesOf = (route: Route): JsonObject => ({
  [route.reply.status]: success(route),
  ...(route.cache === "none" ? {} : { 304: notModified }),
  ...failures(route),
});

const headerRefs = (...names: readonly (keyof typeof headers)[]): JsonObject =>
  Object.fromEntries(
    [...ofAll, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
const ofAll = ["X-Request-Id", "X-Test-Clock"] as const;

const notModified: JsonObject = {
  description: "Unchanged since the `ETag` in `If-None-Match`. No body.",
  headers: headerRefs("ETag", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"),
};

function success(route: Route): JsonObject {
  const { media } = route.reply;
  return {
    description: route.reply.status === 201 ? created : "The answer.",
    headers: {
      ...headerRefs("Cache-Control", "Vary"),
      ...(route.cache === "none" ? {} : headerRefs("ETag")),
      ...(route.idempotent ? headerRefs("Idempotent-Replayed", "Original-Request-Id") : {}),
      ...headerRefs("RateLimit", "RateLimit-Policy"),
      ...(route.deprecation ? headerRefs("Deprecation", "Sunset", "Link") : {}),
    },
    content: media
      ? { [media]: { schema: { type: "string" } } }
      : { "application/json": answerOf(route) },
  };
}

const created = "Created, or created before under the same `Idempotency-Key`.";

/** What a list of found products has, where it has something to tell. */
const findings: JsonObject = {
  corrected_to: { type: "string" },
  facets: {
    anyOf: [schemaRef("ProductFacets"), { type: "null" }],
    description: "What `facets` asked for. Null when more than 10,000 products are found.",
  },
};

function answerOf(route: Route): JsonObject {
  const data = schemaRef(nameOf(route.reply.data));
  const list = route.reply.list === true;
  const page = {
    has_more: { type: "boolean" },
    next_cursor: { type: ["string", "null"], description: "Pass it as `starting_after`." },
  };
  const properties = {
    data: list ? { type: "array", items: data } : data,
    ...(list ? page : {}),
    ...(route.reply.corrects ? findings : {}),
    livemode: { type: "boolean", description: "True for live keys." },
    request_id: { type: "string", description: "Quote it in support requests." },
  };
  const row = exampleOf(route.reply.data);
  const example = {
    data: list ? [row] : row,
    ...(list ? { has_more: false, next_cursor: null } : {}),
    livemode: false,
    request_id: requestIdExample,
  };
  return {
    schema: {
      type: "object",
      required: Object.keys(properties).filter((name) => !(name in findings)),
      properties,
    },
    example,
  };
}

/**
 * Makes one response for each status. Its examples are the codes of the operation
 * with that status.
 */
function failures(route: Route): JsonObject {
  const byStatus = new Map<number, PublicErrorCode[]>();
  for (const code of errorsOf(route)) {
    const [status] = publicErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }

  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, failure(status, codes)]));
}

function failure(status: number, codes: readonly PublicErrorCode[]): JsonObject {
  const hasRetryAfter = status === 429 || status === 503 || codes.includes("request_in_progress");
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);

  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: {
      ...headerRefs("Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"),
      ...(status === 401 ? headerRefs("WWW-Authenticate") : {}),
      ...(hasRetryAfter ? headerRefs("Retry-After") : {}),
    },
    content: {
      "application/json": {
        schema: schemaRef("Error"),
        examples: Object.fromEntries(examples),
      },
    },
  };
}
