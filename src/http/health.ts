import type { HttpContext } from "./context.ts";
import type { RequestState } from "./request-state.ts";
import type { WireReply } from "./wire.ts";

const path = "/healthz";
/** The route takes no key, so the storage is asked at most once in this time. */
const rememberMs = 1_000;
/** No key has this hash: the query reads the storage and finds nothing. */
const unknownHash = "0".repeat(64);

/**
 * Answers `GET {basePath}/healthz` where the host asked for it: 200 while the storage answers,
 * else 503. Null for any other request.
 */
export function createHealth(ctx: HttpContext): (state: RequestState) => Promise<WireReply> | null {
  let latest: { readonly at: number; readonly healthy: Promise<boolean> } | null = null;

  return (state) => {
    if (!ctx.healthz || !isHealthRequest(state)) return null;

    const now = ctx.steadyNow();
    if (!latest || now - latest.at >= rememberMs) latest = { at: now, healthy: askStorage(ctx) };
    return latest.healthy.then((healthy) => healthReply(state, healthy));
  };
}

const isHealthRequest = ({ target, request }: RequestState): boolean =>
  target.path === path && (request.method === "GET" || request.method === "HEAD");

async function askStorage(ctx: HttpContext): Promise<boolean> {
  try {
    await ctx.storage.access.findAccess(unknownHash);
    return true;
  } catch (error) {
    ctx.onError(error, "healthz");
    return false;
  }
}

const healthReply = (state: RequestState, healthy: boolean): WireReply => ({
  status: healthy ? 200 : 503,
  headers: {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-request-id": state.request_id,
    ...(healthy ? {} : { "retry-after": "1" }),
  },
  body: state.request.method === "HEAD" ? null : `{"status":"${healthy ? "ok" : "unavailable"}"}`,
});
