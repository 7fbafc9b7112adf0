import { fail } from "../contract/errors.ts";
import { paths } from "../contract/paths.ts";
import { admitBrowser, livemodeOf } from "./access.ts";
import type { Call } from "./call.ts";
import type { HttpContext } from "./context.ts";
import type { WireReply } from "./wire.ts";

const exposed =
  "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Original-Request-Id, Idempotent-Replayed, Deprecation, Sunset, Link";
const allowedHeaders =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Service-Customer-Token";
const allowedMethods = [
  ...new Set(["GET", "HEAD", ...Object.values(paths).map((row) => row.slice(0, row.indexOf(" ")))]),
].join(", ");

export const corsHeaders = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposed,
});

/** OPTIONS carries no Authorization (SPEC 5.7): the `key` parameter alone names the store. */
export async function preflight(ctx: HttpContext, call: Call): Promise<WireReply> {
  call.livemode = livemodeOf(call.query.keys[0] ?? "") ?? false;
  const verdict = await admitBrowser(ctx, call);
  if ("access" in verdict && verdict.access.key.kind === "secret")
    fail("secret_key_in_browser", { param: "key" });
  if (!call.cors) fail("origin_not_allowed", verdict.state === "active" ? {} : { param: "key" });
  return {
    status: 204,
    headers: {
      ...call.cors,
      "access-control-allow-methods": allowedMethods,
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      "x-request-id": call.request_id,
    },
    body: null,
  };
}
