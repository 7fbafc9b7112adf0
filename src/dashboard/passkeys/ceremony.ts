import { z } from "zod";
import { fromBase64url, timingSafeEqual } from "../../domain/keys/hash.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { type AuthenticatorData, readAuthenticatorData } from "./authenticator-data.ts";
import { readWhole } from "./cbor.ts";
import { type Challenge, type ChallengeScope, readChallenge } from "./challenge.ts";
import { isSignedBy, readPublicKey } from "./public-key.ts";

/** Bytes in base64url, of a length that no honest answer exceeds. */
const bytes = z
  .string()
  .max(16_384)
  .transform((text, context) => {
    const read = fromBase64url(text);
    if (!read) context.addIssue("must be base64url");
    return read ?? z.NEVER;
  });

const Made = z.strictObject({
  id: z.string().max(1_400),
  clientDataJSON: bytes,
  attestationObject: bytes,
  transports: z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(8),
});

const Signed = z.strictObject({
  id: z.string().max(1_400),
  clientDataJSON: bytes,
  authenticatorData: bytes,
  signature: bytes,
  userHandle: bytes,
});

/** An answer of the browser's `navigator.credentials.get`. */
export type SignedAnswer = z.output<typeof Signed>;

/** Who asks an authenticator, and for what. */
export interface Asked {
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
  readonly scope: ChallengeScope;
}

/** A passkey that was just made. */
interface NewPasskey {
  readonly id: string;
  /** In COSE's form. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly challenge: Challenge;
}

/**
 * Reads what the browser has sent as the text of a field. Gives null for anything that no
 * browser sends.
 */
function readAnswer<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

export const readSigned = (text: string): SignedAnswer | null => readAnswer(Signed, text);

/**
 * Checks a new passkey (Web Authentication, 7.1). Gives null when anything is wrong with it.
 * Who has made the authenticator is not asked: no statement of it is read.
 */
export async function readMade(text: string, asked: Asked): Promise<NewPasskey | null> {
  const answer = readAnswer(Made, text);
  if (!answer) return null;
  const { clientDataJSON, attestationObject, transports, id } = answer;
  const challenge = await challengeOf("webauthn.create", clientDataJSON, asked);
  if (!challenge) return null;

  return unlessUnreadable(async () => {
    const statement = readWhole(attestationObject);
    const said = statement instanceof Map ? statement.get("authData") : null;
    if (!(said instanceof Uint8Array)) return null;
    const data = readAuthenticatorData(said);
    if (!data.made || !(await isRight(data, asked))) return null;

    const { publicKey, id: given } = data.made;
    const isOwnId = fromBase64url(id)?.join() === given.join();
    // A key that cannot be read now could never sign in.
    await readPublicKey(publicKey);
    return isOwnId ? { id, publicKey, counter: data.counter, transports, challenge } : null;
  });
}

/** What a right signature tells. */
interface Assertion {
  readonly counter: number;
  readonly challenge: Challenge;
}

/**
 * Checks a signature by a stored passkey (Web Authentication, 7.2). Gives null when anything
 * is wrong with it. Whatever fails, the signature is computed: what is unknown takes as long.
 */
export async function checkSigned(
  answer: SignedAnswer,
  publicKey: Uint8Array,
  asked: Asked,
): Promise<Assertion | null> {
  const { clientDataJSON, authenticatorData, signature } = answer;
  const challenge = await challengeOf("webauthn.get", clientDataJSON, asked);

  return unlessUnreadable(async () => {
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(clientDataJSON));
    const signed = new Uint8Array([...authenticatorData, ...new Uint8Array(digest)]);
    const isSigned = await isSignedBy(await readPublicKey(publicKey), signature, signed);
    const data = readAuthenticatorData(authenticatorData);
    const isAllRight = isSigned && challenge && (await isRight(data, asked));
    return isAllRight ? { counter: data.counter, challenge } : null;
  });
}

/** The domain is ours, and the person was there and was verified. */
async function isRight(
  { rpIdHash, isPresent, isVerified }: AuthenticatorData,
  { settings }: Asked,
): Promise<boolean> {
  const own = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(settings.rpId ?? ""));
  return isPresent && isVerified && timingSafeEqual(rpIdHash.join(), new Uint8Array(own).join());
}

const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.undefined().optional(),
});

/**
 * Gives the challenge that a browser says it has passed on: one of ours for this browser, to
 * a page of our own origin that stands in no frame of another.
 */
async function challengeOf(
  type: "webauthn.create" | "webauthn.get",
  clientDataJSON: Uint8Array,
  { parts, settings, scope }: Asked,
): Promise<Challenge | null> {
  const said = readAnswer(ClientData, new TextDecoder().decode(clientDataJSON));
  if (said?.type !== type || said.origin !== settings.origin || said.crossOrigin) return null;

  const text = fromBase64url(said.challenge);
  return text && readChallenge(parts, new TextDecoder().decode(text), scope);
}

/** Web Crypto and the readers throw over bytes that are no key, no signature or no data. */
async function unlessUnreadable<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
