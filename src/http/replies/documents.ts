import { type EventType, eventSchemaPath, eventTypes } from "../../contract/events.ts";
import type { FoundDocument, PageRequest } from "../../docs/site.ts";
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
 * The documents that need no key. Each is loaded and built at its first request, so that no start
 * waits for it.
 */
const documents: Readonly<Record<string, BuildDocument>> = {
  "/openapi.json": async (ctx) => {
    const body = JSON.stringify(await openApi(ctx));
    return { body, headers: { "content-type": "application/json; charset=utf-8" } };
  },
  "/docs/docs.css": (ctx) => asset(ctx, "docs.css"),
  "/docs/docs.js": (ctx) => asset(ctx, "docs.js"),
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

async function asset(
  { brandColor }: HttpContext,
  name: "docs.css" | "docs.js",
): Promise<StaticDocument> {
  const { assetsOf } = await import("../../docs/assets.ts");
  const { type, body } = assetsOf(brandColor)[name];
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

/** Loads the pages of `/docs` at the first request for one of them. */
async function loadSite(ctx: HttpContext) {
  const { assetVersionOf } = await import("../../docs/assets.ts");
  const { findDocument } = await import("../../docs/site.ts");
  const site = { document: await openApi(ctx), assetVersion: assetVersionOf(ctx.brandColor) };
  return (request: PageRequest) => findDocument(site, request);
}

/**
 * Answers a request for a document, with null when there is none of its path below `/docs`.
 * Gives null for any other request.
 */
export function createDocuments(
  ctx: HttpContext,
): (state: RequestState) => Promise<WireReply | null> | null {
  const built = new Map<string, Promise<StaticDocument>>();
  let site: ReturnType<typeof loadSite> | null = null;

  const buildOnce = (key: string, build: BuildDocument): Promise<StaticDocument> => {
    const known = built.get(key);
    if (known) return known;

    const building = build(ctx).then(withCaching);
    built.set(key, building);
    // What could not be built is built anew at the next request.
    building.catch(() => built.delete(key));
    return building;
  };

  const answerPage = async (state: RequestState): Promise<WireReply | null> => {
    site ??= loadSite(ctx).catch((error: unknown) => {
      site = null;
      throw error;
    });
    const find = await site;
    const { path } = state.target;
    const { lang } = state.query.values;
    const found = find({ path, lang, accepted: state.request.header("accept-language") });
    if (found === null) return null;
    return documentReply(state, await buildOnce(found.key, async () => pageDocument(found)));
  };

  return (state) => {
    const { path } = state.target;
    const build = Object.hasOwn(documents, path) ? documents[path] : undefined;
    if (build) return buildOnce(path, build).then((document) => documentReply(state, document));
    return /^\/docs(?:\/|$)/.test(path) ? answerPage(state) : null;
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

const pageHeaders = {
  html: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy,
    "referrer-policy": "no-referrer",
  },
  json: { "content-type": "application/json; charset=utf-8" },
} as const;

const pageDocument = ({ type, render }: FoundDocument): StaticDocument => ({
  body: render(),
  headers: { ...pageHeaders[type], vary: "Origin, Accept-Language" },
});
