import { fail } from "../contract/errors.ts";
import { parseApiKey } from "../domain/api-keys.ts";
import { rateLimitIp } from "../domain/client-ip.ts";
import type { AccessRecord } from "../rules/records.ts";
import { admitted, type Call } from "./call.ts";
import type { HttpContext } from "./context.ts";
import { corsHeaders } from "./cors.ts";

/** What a presented key turned out to be. */
export type KeyVerdict =
  | { readonly state: "absent" }
  | { readonly state: "invalid" }
  | { readonly state: "revoked"; readonly access: AccessRecord }
  | { readonly state: "active"; readonly access: AccessRecord };

/** Of a request without the `key` parameter. */
export const absent: KeyVerdict = { state: "absent" };

const maxCached = 10_000;

/** Reads a key without judging it: a wrong shape or checksum costs no look-up. */
export async function examineKey(ctx: HttpContext, call: Call, text: string): Promise<KeyVerdict> {
  const recalled = ctx.access.recall(text);
  if (recalled) return verdictOf(recalled);
  const shape = parseApiKey(text);
  if (!shape) return { state: "invalid" };
  if (shape.livemode ? !ctx.modes.live : !ctx.modes.test) return { state: "invalid" };
  const access = await ctx.access.find(text);
  if (!access) {
    await limitUnknownKeys(ctx, call);
    return { state: "invalid" };
  }
  return verdictOf(access);
}

const verdictOf = (access: AccessRecord): KeyVerdict => ({
  state: access.key.revoked_at === null ? "active" : "revoked",
  access,
});

/** The `key` parameter: decides CORS for every later answer and raises the leaked-secret alarm (CONTRACT 2). */
export async function admitBrowser(ctx: HttpContext, call: Call): Promise<KeyVerdict> {
  const { keys } = call.query;
  if (keys.length === 0) return absent;
  const verdicts = await Promise.all(keys.slice(0, 2).map((key) => examineKey(ctx, call, key)));
  for (const verdict of verdicts)
    if ("access" in verdict && verdict.access.key.kind === "secret")
      await raiseLeak(ctx, verdict.access);
  const [verdict] = verdicts;
  if (keys.length > 1 || !verdict) return { state: "invalid" };
  const origin = call.request.header("origin");
  if (
    verdict.state === "active" &&
    verdict.access.key.kind === "publishable" &&
    origin !== undefined &&
    verdict.access.origins.includes(origin)
  ) {
    call.cors = corsHeaders(origin);
  }
  return verdict;
}

/** The header key and its agreement with the `key` parameter: all the 401s, and the 403 of a secret in the URL between them. */
export async function authenticate(
  ctx: HttpContext,
  call: Call,
  parameter: KeyVerdict,
): Promise<AccessRecord> {
  const header = call.request.header("authorization");
  const text = header?.trim() ?? "";
  if (text === "") fail("missing_api_key");
  const token = /^bearer +([^\s,]+)$/i.exec(text)?.[1];
  if (!token) fail("invalid_api_key");
  call.livemode = livemodeOf(token) ?? call.livemode;
  const verdict = await examineKey(ctx, call, token);
  if (verdict.state === "revoked") fail("api_key_revoked");
  if (verdict.state !== "active") fail("invalid_api_key");
  if (parameter.state === "invalid") fail("invalid_api_key", { param: "key" });
  if (parameter.state === "revoked") fail("api_key_revoked", { param: "key" });
  if (parameter.state === "active") {
    if (parameter.access.key.kind === "secret") fail("secret_key_in_browser", { param: "key" });
    const { key } = parameter.access;
    if (
      key.store_id !== verdict.access.key.store_id ||
      key.livemode !== verdict.access.key.livemode
    )
      fail("invalid_api_key", { param: "key" });
  }
  return verdict.access;
}

/** CONTRACT 2: a call comes from a browser by `Origin`, `Sec-Fetch-Site` or `Sec-Fetch-Dest`. Node's own fetch sends `Sec-Fetch-Mode`. */
export const isFromBrowser = ({ request }: Call): boolean =>
  request.header("origin") !== undefined ||
  request.header("sec-fetch-site") !== undefined ||
  request.header("sec-fetch-dest") !== undefined;

export async function guardBrowser(
  ctx: HttpContext,
  call: Call,
  parameter: KeyVerdict,
): Promise<void> {
  const origin = call.request.header("origin");
  const access = admitted(call);
  if (access.key.kind === "secret") {
    await raiseLeak(ctx, access);
    fail("secret_key_in_browser");
  }
  if (parameter.state === "absent") fail("origin_not_allowed", { param: "key" });
  if (origin !== undefined && !access.origins.includes(origin)) fail("origin_not_allowed");
}

export function guardStore(call: Call): void {
  const { store } = admitted(call);
  if (!store.headless_enabled) fail("headless_disabled");
  if (store.maintenance) fail("store_maintenance", { retry_after: 60 });
}

/** What the text says of itself, for `livemode` in the body of an error about an unknown key. */
export function livemodeOf(key: string): boolean | null {
  if (key.startsWith("hk_live_")) return true;
  return key.startsWith("hk_test_") ? false : null;
}

const alarmQuietMs = 3_600_000;
const alarmed = new WeakMap<HttpContext, Map<string, number>>();

/** One alert a key and hour, whatever the number of calls; storage holds the rule between processes. */
async function raiseLeak(ctx: HttpContext, access: AccessRecord): Promise<void> {
  const { key } = access;
  const now = ctx.now();
  const quiet = alarmed.get(ctx) ?? new Map<string, number>();
  alarmed.set(ctx, quiet);
  if ((quiet.get(key.id) ?? 0) > now) return;
  const alert = {
    id: ctx.newId("alr"),
    store_id: key.store_id,
    livemode: key.livemode,
    type: "secret_key_in_browser",
    subject: key.id,
    data: { key_id: key.id, last4: key.last4 },
    created_at: now,
  };
  const { raised } = await ctx.storage.access.raiseAlert(alert, now - alarmQuietMs + 1);
  if (raised) ctx.onAlert(alert);
  if (ctx.revokeLeakedKeys && key.revoked_at === null) {
    await ctx.storage.access.revokeKey(key.store_id, key.id, now);
    ctx.changed(key.store_id);
  }
  // Last of all: a key that could not be revoked is tried again at its next call.
  if (quiet.size > maxCached) quiet.clear();
  quiet.set(key.id, now + (raised ? alarmQuietMs : 60_000));
}

async function limitUnknownKeys(ctx: HttpContext, call: Call): Promise<void> {
  if (!ctx.unknownKeyLimit) return;
  const bucket = `unknown-key:${rateLimitIp(call.request.ip)}`;
  const hit = await ctx.processLimiter.hit({ bucket, ...ctx.unknownKeyLimit }, ctx.now());
  if (!hit.allowed)
    fail("rate_limit_exceeded", { retry_after: Math.max(1, Math.ceil(hit.reset_ms / 1000)) });
}
