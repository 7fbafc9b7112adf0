import { fail } from "../../contract/errors.ts";
import { paths } from "../../contract/paths.ts";
import type { HttpContext } from "../context.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { examineKeyParameter, refuseWithoutKey } from "./access.ts";
import { isSecret, livemodeOf } from "./api-key.ts";

const allowedHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "X-Service-Customer-Token",
].join(", ");
const methodOf = (path: string): string => path.slice(0, path.indexOf(" "));
const allowedMethods = [...new Set(["GET", "HEAD", ...Object.values(paths).map(methodOf)])].join(
  ", ",
);

/**
 * Answers OPTIONS. A browser sends it without Authorization, so the `key` parameter
 * alone names the store.
 */
export async function preflight(ctx: HttpContext, state: RequestState): Promise<WireReply> {
  state.livemode = livemodeOf(state.query.keys[0] ?? "") ?? false;
  const verdict = await examineKeyParameter(ctx, state);
  if (isSecret(verdict)) fail("secret_key_in_browser", { param: "key" });
  if (!state.cors)
    return verdict.outcome === "active" ? fail("origin_not_allowed") : refuseWithoutKey();

  return {
    status: 204,
    headers: {
      ...state.cors,
      "access-control-allow-methods": allowedMethods,
      "access-control-allow-headers": allowedHeaders,
      "access-control-max-age": "600",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      "x-request-id": state.request_id,
    },
    body: null,
  };
}
