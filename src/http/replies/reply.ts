import type { Route } from "../../contract/route.ts";
import type { OperationResult } from "../../operations/operation.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";

const cacheControl = "private, no-cache";
const neverStored = "private, no-store";
const vary = "Authorization, Origin, X-Service-Customer-Token";

/** Answers 200 or 201 with a result. */
export function success(
  state: RequestState,
  route: Route,
  result: OperationResult,
  tag: string | null,
): WireReply {
  const headers = baseHeaders(state, route);
  if (tag !== null) headers["etag"] = tag;
  const body = envelope(result, state.livemode, state.request_id);
  return { status: route.reply.status, headers, body: bodyFor(state, headers, body) };
}

export function notModified(state: RequestState, tag: string): WireReply {
  return {
    status: 304,
    headers: {
      ...state.cors,
      "x-request-id": state.request_id,
      etag: tag,
      "cache-control": cacheControl,
      vary,
      ...state.headers,
    },
    body: null,
  };
}

/** Gives the JSON text of a successful body. */
export function envelope(
  { data, page }: OperationResult,
  livemode: boolean,
  request_id: string,
): string {
  const paging = page ? `,${JSON.stringify(page).slice(1, -1)}` : "";
  return `{"data":${data}${paging},"livemode":${livemode},"request_id":"${request_id}"}`;
}

/**
 * Makes the headers of every answer with a body. An error has no route: its headers
 * forbid caching.
 */
export function baseHeaders(state: RequestState, route: Route | null): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-request-id": state.request_id,
    "cache-control": route === null || route.cache === "none" ? neverStored : cacheControl,
    vary,
    ...state.cors,
    ...state.headers,
  };
  if (route?.deprecation) {
    const { deprecated_at, sunset_at, link } = route.deprecation;
    headers["deprecation"] = `@${Math.floor(Date.parse(deprecated_at) / 1000)}`;
    headers["sunset"] = new Date(sunset_at).toUTCString();
    headers["link"] = `<${link}>; rel="deprecation"`;
  }
  return headers;
}

const encoder = new TextEncoder();

/**
 * Keeps the body for every method but HEAD. HEAD carries the length that GET would
 * have. Without it some clients take the answer for one that ends with the
 * connection.
 */
export function bodyFor(
  state: RequestState,
  headers: Record<string, string>,
  body: string,
): string | null {
  if (state.request.method !== "HEAD") return body;
  headers["content-length"] = String(encoder.encode(body).length);
  return null;
}
