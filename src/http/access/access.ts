import { fail } from "../../contract/errors.ts";
import { isAcceptedOrigin, isRefusedLocalTest } from "../../rules/checkout/accepted-origin.ts";
import type { AccessRecord } from "../../rules/records.ts";
import type { HttpContext } from "../context.ts";
import { accessOf, type RequestState } from "../request-state.ts";
import { absentKey, examineKey, isSecret, type KeyVerdict, livemodeOf } from "./api-key.ts";
import { corsHeaders } from "./cors.ts";
import { raiseLeakAlert } from "./leak-alert.ts";

/**
 * Examines the `key` parameter, from which every later answer gets its CORS
 * headers. A secret key in it raises an alert.
 */
export async function examineKeyParameter(
  ctx: HttpContext,
  state: RequestState,
): Promise<KeyVerdict> {
  const { keys } = state.query;
  if (keys.length === 0) return absentKey;

  const verdicts = await Promise.all(keys.slice(0, 2).map((key) => examineKey(ctx, state, key)));
  for (const verdict of verdicts)
    if ("access" in verdict && isSecret(verdict)) await raiseLeakAlert(ctx, verdict.access);

  const [verdict] = verdicts;
  if (keys.length > 1 || !verdict) return { outcome: "invalid" };

  const origin = state.request.header("origin");
  if (origin !== undefined && verdict.outcome === "active" && !isSecret(verdict))
    if (isAcceptedOrigin(verdict.access, origin)) state.cors = corsHeaders(origin);
  return verdict;
}

/**
 * Reads the key of the header and compares it with the `key` parameter. Throws
 * every 401 of a key.
 */
export async function authenticate(
  ctx: HttpContext,
  state: RequestState,
  parameter: KeyVerdict,
): Promise<AccessRecord> {
  const header = state.request.header("authorization")?.trim() ?? "";
  if (header === "") fail("missing_api_key");
  const key = /^bearer +([^\s,]+)$/i.exec(header)?.[1];
  if (!key)
    fail("invalid_api_key", { message: "The Authorization header is not `Bearer <API_KEY>`." });

  state.livemode = livemodeOf(key) ?? state.livemode;
  const verdict = await examineKey(ctx, state, key);
  if (verdict.outcome === "revoked") fail("api_key_revoked");
  if (verdict.outcome !== "active") fail("invalid_api_key");

  checkKeyParameter(parameter, verdict.access);
  return verdict.access;
}

/**
 * Refuses a `key` parameter that is not accepted, is secret, or is of another store
 * or mode.
 */
function checkKeyParameter(parameter: KeyVerdict, { key }: AccessRecord): void {
  if (parameter.outcome === "absent") return;
  if (parameter.outcome === "invalid") fail("invalid_api_key", { param: "key" });
  if (parameter.outcome === "revoked") fail("api_key_revoked", { param: "key" });
  if (isSecret(parameter)) fail("secret_key_in_browser", { param: "key" });

  const named = parameter.access.key;
  if (named.store_id !== key.store_id || named.livemode !== key.livemode)
    fail("invalid_api_key", { param: "key" });
}

/**
 * Says whether a browser sent the request. `Sec-Fetch-Mode` does not count, because
 * Node's own fetch sends it.
 */
export const isFromBrowser = ({ request }: RequestState): boolean =>
  request.header("origin") !== undefined ||
  request.header("sec-fetch-site") !== undefined ||
  request.header("sec-fetch-dest") !== undefined;

/**
 * Refuses a browser that sends a secret key, no `key` parameter, or an origin that
 * is not registered.
 */
export async function checkBrowser(
  ctx: HttpContext,
  state: RequestState,
  parameter: KeyVerdict,
): Promise<void> {
  const access = accessOf(state);
  if (access.key.kind === "secret") {
    await raiseLeakAlert(ctx, access);
    fail("secret_key_in_browser");
  }

  if (parameter.outcome === "absent") refuseWithoutKey();
  const origin = state.request.header("origin");
  if (origin !== undefined && !isAcceptedOrigin(access, origin)) refuseOrigin(access, origin);
}

export const refuseWithoutKey = (): never =>
  fail("origin_not_allowed", {
    param: "key",
    message: "A request from a page must also send the query parameter `key`.",
  });

function refuseOrigin(access: AccessRecord, origin: string): never {
  if (!isRefusedLocalTest(access, origin)) return fail("origin_not_allowed");
  return fail("origin_not_allowed", {
    message:
      "The page's origin is not registered with this store. For test keys the owner can accept " +
      "all pages of localhost: owner.stores.update(id, { localhost_origins: true }).",
  });
}

/** Refuses a store whose API is turned off or in maintenance. */
export function checkStore(state: RequestState): void {
  const { store } = accessOf(state);
  if (!store.headless_enabled) fail("headless_disabled");
  if (store.maintenance) fail("store_maintenance", { retry_after: 60 });
}
