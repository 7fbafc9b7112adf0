import { sha256 } from "../domain/hash.ts";
import type { Call } from "./call.ts";
import type { HttpContext } from "./context.ts";
import { matchesTag, tagOf } from "./reply.ts";
import type { WireReply } from "./wire.ts";

interface Document {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const errorReferencePath = "/docs/errors";

/** Answered before authentication (CONTRACT 1). Loaded and built at the first request of each: no start pays for them. */
const documents: Readonly<Record<string, (ctx: HttpContext) => Promise<Document>>> = {
  "/openapi.json": async (ctx) => {
    const body = JSON.stringify(await apiDocument(ctx));
    return { body, headers: { "content-type": "application/json; charset=utf-8" } };
  },
  "/docs": async (ctx) => {
    const { renderApiReference } = await import("../contract/api-reference.ts");
    return page(renderApiReference(await apiDocument(ctx)));
  },
  [errorReferencePath]: async () => {
    const { renderErrorReference } = await import("../contract/reference.ts");
    return page(renderErrorReference());
  },
};

const apiDocument = async (ctx: HttpContext) => {
  const { openApiDocument } = await import("../contract/openapi.ts");
  return openApiDocument({ serverUrl: ctx.basePath, docsUrl: ctx.docsUrl });
};

/** Null: the path is no document. */
export function createDocuments(ctx: HttpContext): (call: Call) => Promise<WireReply> | null {
  const built = new Map<string, Promise<Document>>();

  const once = (
    path: string,
    build: (ctx: HttpContext) => Promise<Document>,
  ): Promise<Document> => {
    const known = built.get(path);
    if (known) return known;
    const making = build(ctx).then(tagged);
    built.set(path, making);
    making.catch(() => built.delete(path));
    return making;
  };

  return (call) => {
    const { method } = call.request;
    const { path } = call.target;
    const build = Object.hasOwn(documents, path) ? documents[path] : undefined;
    return build && (method === "GET" || method === "HEAD")
      ? once(path, build).then((document) => answer(call, document))
      : null;
  };
}

function answer(call: Call, { body, headers }: Document): WireReply {
  const common = { ...headers, "x-request-id": call.request_id };
  if (matchesTag(call, headers["etag"] ?? "", true))
    return { status: 304, headers: common, body: null };
  if (call.request.method !== "HEAD") return { status: 200, headers: common, body };
  return {
    status: 200,
    headers: { ...common, "content-length": String(new TextEncoder().encode(body).length) },
    body: null,
  };
}

const tagged = async ({ body, headers }: Document): Promise<Document> => ({
  body,
  headers: {
    ...headers,
    etag: await tagOf(body),
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  },
});

/** Nothing is loaded and nothing runs: the page's one style is allowed by its hash. */
async function page(body: string): Promise<Document> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
  const hash = (await sha256(style, "base64url")).replaceAll("-", "+").replaceAll("_", "/");
  return {
    body,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}='; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      "referrer-policy": "no-referrer",
    },
  };
}
