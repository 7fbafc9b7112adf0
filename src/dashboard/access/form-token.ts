import { dayMs } from "../../domain/durations.ts";
import { isFormSeal, sealForm } from "../../domain/keys/form-seal.ts";
import { base64url } from "../../domain/keys/hash.ts";
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

/** Makes the token that a page's forms carry (docs/contract/dashboard.md#dashboard). */
export async function issueToken(
  keyRing: KeyRing,
  scope: TokenScope,
  issuedAt: number,
): Promise<string> {
  return `${issuedAt}.${await sealForm(keyRing, purpose, textOf(`${issuedAt}`, scope))}`;
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

  const isRight = await isFormSeal(keyRing, given, { purpose, text: textOf(time, scope) });
  return isRight ? issuedAt : null;
}

const purpose = "dashboard-form";

const textOf = (text: string, { cookie, actor, path }: TokenScope): string =>
  JSON.stringify([text, cookie, actor, path]);

/** Seals the name of a message that the next page shows, so that no other site can write one. */
export const sealMessage = (keyRing: KeyRing, name: string, scope: TokenScope): Promise<string> =>
  sealForm(keyRing, purpose, textOf(`message:${name}`, scope));
