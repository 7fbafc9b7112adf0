import { timeBox } from "../domain/time-box.ts";
import type { HttpContext } from "./context.ts";
import type { RequestState } from "./request-state.ts";
import type { WireReply } from "./wire.ts";

export const healthPath = "/healthz";
/** The route takes no key, so the storage is asked at most once in this time. */
const rememberMs = 1_000;
/** A storage that takes longer than this counts as one that does not answer. */
const answerMs = 1_000;
/** No key has this hash: the query reads the storage and finds nothing. */
const unknownHash = "0".repeat(64);

/**
 * Answers `GET {basePath}/healthz` where the host asked for it: 200 while the
 * storage answers, else 503. Null for any other request.
 */
export function createHealth(ctx: HttpContext): (state: RequestState) => Promise<WireReply> | null {
  let latest: { readonly at: number; readonly healthy: Promise<boolean> } | null = null;
  /**
   * True from a question until its answer, however late: a second one would wait
   * behind it.
   */
  let asking = false;

  const ask = (): Promise<boolean> => {
    asking = true;
    const answered = askStorage(ctx).finally(() => {
      asking = false;
    });
    return timeBox(answered, answerMs, () => {
      ctx.onError(new Error("The storage did not answer within a second."), "healthz");
      return false;
    });
  };

  return (state) => {
    if (!ctx.healthz || state.target.path !== healthPath) return null;

    const now = ctx.steadyNow();
    const outdated = !latest || now - latest.at >= rememberMs;
    if (!latest || (outdated && !asking)) latest = { at: now, healthy: ask() };
    return latest.healthy.then((healthy) => healthReply(state, healthy));
  };
}

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
