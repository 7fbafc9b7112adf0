import type { WireRequest } from "../../http/wire.ts";
import type { Action } from "../../owner/actions.ts";
import type { DashboardLinkRecord } from "../../rules/owner/dashboard-records.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { setCookie } from "./cookies.ts";
import { newSecret } from "./secrets.ts";
import { findSession, giverOf, signerOfPass } from "./who.ts";

export const sessionSeconds = 12 * 3_600;

interface Place {
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
  /** The audit log calls the sign-in so. */
  readonly action: Action;
}

/**
 * Spends a link, opens its session under a new secret, and ends the session that it
 * replaces. Gives the `Set-Cookie` header, and null when the link is spent or ended.
 */
export async function openSession(
  request: WireRequest,
  link: DashboardLinkRecord,
  { parts, settings, action }: Place,
): Promise<string | null> {
  const { hash: session_hash, text: value } = await newSecret(link.store_id, parts.randomBytes);
  const giver = await giverOf(link, parts);
  const longest = parts.now() + sessionSeconds * 1_000;
  const expires_at = giver ? Math.min(longest, giver.until) : longest;
  const store = await parts.storeAs(signerOfPass(link), action);
  const ref = { store_id: link.store_id, hash: link.link_hash };
  const spent = await store.spendLink(ref, { session_hash, expires_at }, parts.now());
  if (spent.outcome === "unknown") return null;

  const old = await findSession(request, parts, settings);
  // The end of the session that this link comes from would end what it has just opened.
  if (old && !(await isFrom(link, old.session_hash, parts))) {
    const ending = await parts.storeAs(signerOfPass(old), "sessions.end");
    await ending.endSession({ store_id: old.store_id, hash: old.session_hash });
  }
  return setCookie("session", { value, maxAgeSeconds: sessionSeconds }, settings);
}

/** Says whether a link was made in a session, or in one that a link of it has opened. */
export async function isFrom(
  { store_id, made_in }: DashboardLinkRecord,
  session_hash: string,
  { store, now }: DashboardParts,
): Promise<boolean> {
  let hash = made_in;
  while (hash !== null && hash !== session_hash)
    hash = (await store.findSession({ store_id, hash }, now()))?.made_in ?? null;
  return hash !== null;
}
