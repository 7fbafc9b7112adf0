import { type EventType, eventSchemaPath, eventTypes } from "../../contract/events.ts";
import type { HttpContext } from "../context.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { matchesTag, tagOf } from "./etag.ts";

interface StaticDocument {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type BuildDocument = (ctx: HttpContext) => Promise<StaticDocument>;

export const errorReferencePath = "/docs/errors";

/**
 * These documents need no key. Each is loaded and built at its first request, so
 * that no start waits for it.
 */
const documents: Readonly<Record<string, BuildDocument>> = {
  "/openapi.json": async (ctx) => {
    const body = JSON.stringify(await openApi(ctx));
    return { body, headers: { "content-type": "application/json; charset=utf-8" } };
  },
  "/docs": async (ctx) => {
    const { renderApiReference } = await import("../../docs/reference/api-reference.ts");
    return htmlDocument(renderApiReference(await openApi(ctx)));
  },
  [errorReferencePath]: async () => {
    const { renderErrorReference } = await import("../../docs/reference/error-reference.ts");
    return htmlDocument(renderErrorReference());
  },
  "/docs/docs.css": () => asset("docs.css"),
  "/docs/docs.js": () => asset("docs.js"),
  ...Object.fromEntries(eventTypes.map((type) => [eventSchemaPath(type), schemaOf(type)])),
};

function schemaOf(type: EventType): BuildDocument {
  return async (ctx) => {
    const { eventSchemaDocument } = await import("../../contract/openapi/event-schema.ts");
    const url = `${ctx.publicOrigin}${ctx.basePath}${eventSchemaPath(type)}`;
    const body = JSON.stringify(eventSchemaDocument(type, url));
    return { body, headers: { "content-type": "application/schema+json" } };
  };
}

async function asset(name: "docs.css" | "docs.js"): Promise<StaticDocument> {
  const { assets } = await import("../../docs/assets.ts");
  const { type, body } = assets[name];
  return {
    body,
    headers: { "content-type": type, "cross-origin-resource-policy": "same-origin" },
  };
}

const openApi = async (ctx: HttpContext) => {
  const { openApiDocument } = await import("../../contract/openapi/openapi.ts");
  return openApiDocument({
    serverUrl: `${ctx.publicOrigin}${ctx.basePath}`,
    docsUrl: ctx.docsUrl,
  });
};

/** Answers a request for a document. Gives null for any other request. */
export function createDocuments(
  ctx: HttpContext,
): (state: RequestState) => Promise<WireReply> | null {
  const built = new Map<string, Promise<StaticDocument>>();

  const buildOnce = (path: string, build: BuildDocument): Promise<StaticDocument> => {
    const known = built.get(path);
    if (known) return known;

    const building = build(ctx).then(withCaching);
    built.set(path, building);
    building.catch(() => built.delete(path)); // the next request tries again
    return building;
  };

  return (state) => {
    const { path } = state.target;
    const build = Object.hasOwn(documents, path) ? documents[path] : undefined;
    if (!build) return null;
    return buildOnce(path, build).then((document) => documentReply(state, document));
  };
}

function documentReply(state: RequestState, document: StaticDocument): WireReply {
  const { body } = document;
  const tag = document.headers["etag"] ?? "";
  const headers = { ...document.headers, "x-request-id": state.request_id };
  if (matchesTag(state.request, tag, true)) return { status: 304, headers, body: null };
  if (state.request.method !== "HEAD") return { status: 200, headers, body };

  const length = String(new TextEncoder().encode(body).length);
  return { status: 200, headers: { ...headers, "content-length": length }, body: null };
}

const withCaching = async ({ body, headers }: StaticDocument): Promise<StaticDocument> => ({
  body,
  headers: {
    ...headers,
    etag: await tagOf(body),
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  },
});

/**
 * The policy of the page: its style sheet, its script and calls of this API are allowed.
 * Every other server is refused, and so are scripts and styles in the page itself.
 */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const htmlDocument = (body: string): StaticDocument => ({
  body,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy,
    "referrer-policy": "no-referrer",
  },
});
