import { fail } from "../../contract/errors.ts";
import { rateLimitIp } from "../../domain/client-ip.ts";
import { parseApiKey } from "../../domain/keys/api-keys.ts";
import type { AccessRecord } from "../../rules/records.ts";
import type { HttpContext } from "../context.ts";
import type { RequestState } from "../request-state.ts";
import { retryAfter } from "./rate-limit.ts";

/** What a key of a request turned out to be. */
export type KeyVerdict =
  | { readonly outcome: "absent" }
  | { readonly outcome: "invalid" }
  | { readonly outcome: "revoked"; readonly access: AccessRecord }
  | { readonly outcome: "active"; readonly access: AccessRecord };

/** The verdict of a request without the `key` parameter. */
export const absentKey: KeyVerdict = { outcome: "absent" };

/**
 * Examines a key and refuses nothing. A key with a wrong form or checksum costs no
 * look-up.
 */
export async function examineKey(
  ctx: HttpContext,
  state: RequestState,
  key: string,
): Promise<KeyVerdict> {
  const cached = ctx.access.recall(key);
  if (cached) return verdictOf(cached);

  const parsed = parseApiKey(key);
  if (!parsed) return { outcome: "invalid" };
  if (parsed.livemode ? !ctx.modes.live : !ctx.modes.test) return { outcome: "invalid" };

  const access = await ctx.access.find(key);
  if (access) return verdictOf(access);

  await limitUnknownKeys(ctx, state);
  return { outcome: "invalid" };
}

const verdictOf = (access: AccessRecord): KeyVerdict => ({
  outcome: access.key.revoked_at === null ? "active" : "revoked",
  access,
});

export const isSecret = (verdict: KeyVerdict): boolean =>
  "access" in verdict && verdict.access.key.kind === "secret";

/**
 * Reads the mode from the key's own text. Errors about a key that no store knows
 * carry it too.
 */
export function livemodeOf(key: string): boolean | null {
  if (key.startsWith("hk_live_")) return true;
  return key.startsWith("hk_test_") ? false : null;
}

async function limitUnknownKeys(ctx: HttpContext, state: RequestState): Promise<void> {
  if (!ctx.unknownKeyLimit) return;

  const bucket = `unknown-key:${rateLimitIp(state.request.ip)}`;
  const hit = await ctx.processLimiter.hit({ bucket, ...ctx.unknownKeyLimit }, ctx.steadyNow());
  if (!hit.allowed) fail("rate_limit_exceeded", { retry_after: retryAfter(hit) });
}
