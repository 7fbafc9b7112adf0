import { hourMs, minuteMs } from "../../domain/durations.ts";
import { isFormSeal, sealForm } from "../../domain/keys/form-seal.ts";
import { base64url } from "../../domain/keys/hash.ts";
import type { DashboardParts } from "../frame/parts.ts";

/** A challenge is good for this long. */
export const challengeMs = 10 * minuteMs;

/** What a challenge is made for. */
export interface ChallengeScope {
  /** The value of the browser's form cookie. */
  readonly cookie: string;
  /** The person who keeps a passkey. Empty at a sign-in, where nobody is known yet. */
  readonly person: string;
}

const purpose = "dashboard-passkey";

const textOf = (text: string, { cookie, person }: ChallengeScope): string =>
  JSON.stringify([text, cookie, person]);

/** Makes a challenge: its time, 16 random bytes, and a seal for this browser and purpose. */
export async function newChallenge(
  { keyRing, now, randomBytes }: DashboardParts,
  scope: ChallengeScope,
): Promise<string> {
  const text = `${now()}.${base64url(randomBytes(16))}`;
  return `${text}.${await sealForm(keyRing, purpose, textOf(text, scope))}`;
}

/** A challenge that was made here for the scope, and is not past its time. */
export interface Challenge {
  readonly issuedAt: number;
  readonly nonce: string;
}

/** Reads a challenge that an authenticator has signed. Gives null for any other. */
export async function readChallenge(
  { keyRing, now }: DashboardParts,
  challenge: string,
  scope: ChallengeScope,
): Promise<Challenge | null> {
  const [, time = "", nonce = "", seal = ""] =
    /^(\d{1,15})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(challenge) ?? [];
  if (seal === "" || now() - Number(time) >= challengeMs) return null;

  const text = textOf(`${time}.${nonce}`, scope);
  return (await isFormSeal(keyRing, seal, { purpose, text }))
    ? { issuedAt: Number(time), nonce }
    : null;
}

/**
 * Takes a challenge, once. It is asked after everything else was right, so that nobody
 * fills the storage by answers that are wrong.
 */
export async function spendChallenge(
  { store }: DashboardParts,
  { issuedAt, nonce }: Challenge,
): Promise<boolean> {
  // The row outlives the challenge, also for a process whose clock is behind.
  const expires_at = issuedAt + challengeMs + hourMs;
  const form = { store_id: "", form_id: `passkey.${nonce}`, expires_at };
  return (await store.takeForm(form)).outcome === "taken";
}
