import { dayMs } from "../../domain/durations.ts";
import { base64url, hmacText, timingSafeEqual } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";

/** A form is good for a day. Its row is kept as long, so that it is never sent twice. */
export const formLifetimeMs = dayMs;

/** A token is good for this browser, this actor and this address. */
export interface TokenScope {
  /** The value of the browser's form cookie. */
  readonly cookie: string;
  readonly actor: string;
  readonly path: string;
}

const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

/** Makes a cookie of 32 random bytes. */
export const newFormCookie = (randomBytes: (length: number) => Uint8Array): string =>
  base64url(randomBytes(32));

export const isFormCookie = (value: string | null): value is string =>
  value !== null && cookiePattern.test(value);

/** Makes the token that a page's forms carry (docs/contract.md#dashboard). */
export async function issueToken(
  keyRing: KeyRing,
  scope: TokenScope,
  issuedAt: number,
): Promise<string> {
  return `${issuedAt}.${await seal(keyRing, keyRing.current.id, `${issuedAt}`, scope)}`;
}

/**
 * Gives the time at which a right token was issued, in epoch milliseconds. Gives
 * null for another.
 */
export async function readToken(
  keyRing: KeyRing,
  scope: TokenScope,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<number | null> {
  const [, time = "", given = ""] = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const issuedAt = Number(time);
  if (given === "" || now - issuedAt >= formLifetimeMs) return null;

  // A form may have been opened before the seal key was changed.
  for (const id of keyRing.ids)
    if (timingSafeEqual(await seal(keyRing, id, time, scope), given)) return issuedAt;
  return null;
}

async function seal(
  keyRing: KeyRing,
  keyId: string,
  text: string,
  { cookie, actor, path }: TokenScope,
): Promise<string> {
  const key = await keyRing.derive(keyId, "dashboard-form");
  return hmacText(key, JSON.stringify([text, cookie, actor, path]));
}

/** Seals the name of a message that the next page shows, so that no other site can write one. */
export const sealMessage = (keyRing: KeyRing, name: string, scope: TokenScope): Promise<string> =>
  seal(keyRing, keyRing.current.id, `message:${name}`, scope);
