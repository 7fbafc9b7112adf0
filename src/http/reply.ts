import { ApiError, isApiError, isPublicError, publicErrors } from "../contract/errors.ts";
import type { Route } from "../contract/routes.ts";
import { sha256 } from "../domain/hash.ts";
import type { Answer } from "../operations/answer.ts";
import { DOCUMENT_VERSION } from "../rules/render.ts";
import { admitted, type Call } from "./call.ts";
import type { HttpContext } from "./context.ts";
import type { WireReply } from "./wire.ts";

const cacheControl = "private, no-cache";
const vary = "Authorization, Origin, X-Service-Customer-Token";

/** Everything that shapes a catalog answer, known before any query; its hash is the answer's tag. */
export function catalogName(ctx: HttpContext, call: Call, route: Route): string {
  const { store, key } = admitted(call);
  let query = "";
  for (const name of queryNames(route))
    if (name in call.query.values)
      query += `&${name}=${encodeURIComponent(call.query.values[name] ?? "")}`;
  const mode = key.livemode ? "live" : "test";
  return `${store.id}\n${mode}\n${store.catalog_version}\n${ctx.configHash}\n${DOCUMENT_VERSION}\n${call.target.path}\n${query}`;
}

const sorted = new WeakMap<Route, readonly string[]>();
function queryNames(route: Route): readonly string[] {
  let names = sorted.get(route);
  if (!names) {
    names = Object.keys(route.query?.shape ?? {}).sort();
    sorted.set(route, names);
  }
  return names;
}

/** The tag of any other GET: hash of what is answered, never of the request id. */
export function dataTag(call: Call, answer: Answer): Promise<string> {
  const { store, key } = admitted(call);
  return tagOf(
    `${store.id}\n${key.livemode}\n${call.target.path}\n${answer.data}\n${answer.page?.has_more}\n${answer.page?.next_cursor}`,
  );
}

export const tagOf = async (text: string): Promise<string> =>
  `W/"${(await sha256(text, "base64url")).slice(0, 27)}"`;

/** Weak comparison over the list of If-None-Match (RFC 9110 13.1.2). `*` counts only where the answer is known to exist. */
export function matchesTag(call: Call, tag: string, exists: boolean): boolean {
  const header = call.request.header("if-none-match");
  if (header === undefined) return false;
  const text = header.trim();
  if (text === "*") return exists;
  const opaque = tag.slice(2);
  return text.split(",").some((part) => part.trim().replace(/^W\//, "") === opaque);
}

export function notModified(call: Call, tag: string): WireReply {
  return {
    status: 304,
    headers: {
      ...call.cors,
      "x-request-id": call.request_id,
      etag: tag,
      "cache-control": cacheControl,
      vary,
      ...call.headers,
    },
    body: null,
  };
}

export function success(call: Call, route: Route, answer: Answer, tag: string | null): WireReply {
  const headers = baseHeaders(call, route);
  if (tag !== null) headers["etag"] = tag;
  return {
    status: route.reply.status,
    headers,
    body: bodyOf(call, headers, envelope(answer, call.livemode, call.request_id)),
  };
}

export function envelope(answer: Answer, livemode: boolean, request_id: string): string {
  const { page } = answer;
  const paging = page
    ? `,"has_more":${page.has_more},"next_cursor":${JSON.stringify(page.next_cursor)}`
    : "";
  return `{"data":${answer.data}${paging},"livemode":${livemode},"request_id":"${request_id}"}`;
}

export function baseHeaders(call: Call, route: Route | null): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-request-id": call.request_id,
    "cache-control": route === null || route.cache === "none" ? "no-store" : cacheControl,
    vary,
    ...call.cors,
    ...call.headers,
  };
  if (route?.deprecation) {
    headers["deprecation"] = `@${Math.floor(Date.parse(route.deprecation.deprecated_at) / 1000)}`;
    headers["sunset"] = new Date(route.deprecation.sunset_at).toUTCString();
    headers["link"] = `<${route.deprecation.link}>; rel="deprecation"`;
  }
  return headers;
}

/** The only place where an error becomes a response. What is not ours is logged and told as internal_error, without a word of it. */
export function failure(ctx: HttpContext, call: Call, thrown: unknown): WireReply {
  const error = publicError(ctx, thrown);
  const code = isPublicError(error.code) ? error.code : "internal_error";
  const [status, type] = publicErrors[code];
  call.error_code = code;
  const headers = baseHeaders(call, null);
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (error.details.retry_after !== undefined)
    headers["retry-after"] = String(error.details.retry_after);
  if (error.details.allow !== undefined) headers["allow"] = error.details.allow;
  const body = {
    error: {
      type,
      code,
      message: error.message,
      param: error.param ?? defaultParam(code),
      docs_url: `${ctx.docsUrl}#${code}`,
    },
    livemode: call.livemode,
    request_id: call.request_id,
  };
  return { status, headers, body: bodyOf(call, headers, JSON.stringify(body)) };
}

const encoder = new TextEncoder();

/** HEAD tells the length that GET would have: without it some clients take the connection for one that ends with the answer. */
function bodyOf(call: Call, headers: Record<string, string>, text: string): string | null {
  if (call.request.method !== "HEAD") return text;
  headers["content-length"] = String(encoder.encode(text).length);
  return null;
}

function publicError(ctx: HttpContext, thrown: unknown): ApiError {
  if (isApiError(thrown) && isPublicError(thrown.code)) {
    if (thrown.code === "service_unavailable")
      ctx.onError(thrown.details.cause ?? thrown, "storage");
    return thrown;
  }
  ctx.onError(thrown, "request");
  return new ApiError("internal_error");
}

/** The parameter that some codes always name (CONTRACT 8). */
function defaultParam(code: string): string | null {
  if (code.endsWith("_idempotency_key")) return "Idempotency-Key";
  if (code.includes("customer_token")) return "X-Service-Customer-Token";
  if (code === "invalid_cursor" || code === "cursor_expired") return "starting_after";
  if (code === "coupon_invalid") return "coupon_code";
  if (code === "resource_not_found") return "id";
  return code === "product_unavailable" ||
    code === "insufficient_stock" ||
    code === "currency_mismatch" ||
    code === "amount_out_of_range"
    ? "items"
    : null;
}
