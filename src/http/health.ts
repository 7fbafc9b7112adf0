import type { Call } from "./call.ts";
import type { HttpContext } from "./context.ts";
import type { WireReply } from "./wire.ts";

const path = "/healthz";
const rememberMs = 1_000;

/** `GET {basePath}/healthz`, when the host asks for it: 200 while the storage answers, else 503. Without a key, so it asks at most once a second. */
export function createHealth(ctx: HttpContext): (call: Call) => Promise<WireReply> | null {
  let asked: { readonly at: number; readonly healthy: Promise<boolean> } | null = null;
  const ask = (): Promise<boolean> =>
    ctx.storage.access.findAccess("0".repeat(64)).then(
      () => true,
      (error: unknown) => {
        ctx.onError(error, "healthz");
        return false;
      },
    );

  return (call) => {
    const { method } = call.request;
    if (!ctx.healthz || call.target.path !== path || (method !== "GET" && method !== "HEAD"))
      return null;
    const now = ctx.now();
    if (!asked || now - asked.at >= rememberMs) asked = { at: now, healthy: ask() };
    return asked.healthy.then((healthy) => ({
      status: healthy ? 200 : 503,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-request-id": call.request_id,
        ...(healthy ? {} : { "retry-after": "1" }),
      },
      body: method === "HEAD" ? null : `{"status":"${healthy ? "ok" : "unavailable"}"}`,
    }));
  };
}
