import type { HttpContext } from "../context.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { createProbe } from "./probe.ts";
import { healthPath } from "./probe-paths.ts";

/** No key has this hash: the query reads the storage and finds nothing. */
const unknownHash = "0".repeat(64);

/**
 * Answers `GET {basePath}/healthz` where the host asked for it: 200 while the
 * storage answers, else 503. Gives null for any other request.
 */
export function createHealth(ctx: HttpContext): (state: RequestState) => Promise<WireReply> | null {
  const ask = createProbe(ctx, "healthz", async () => {
    await ctx.storage.access.findAccess(unknownHash);
    return true;
  });

  return (state) =>
    ctx.healthz && state.target.path === healthPath
      ? ask().then((answer) => healthReply(state, answer !== null))
      : null;
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
