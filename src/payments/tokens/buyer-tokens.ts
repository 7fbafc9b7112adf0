import type { CryptoKey, JWTHeaderParameters, JWTPayload, KeyObject } from "jose";
import { fail } from "../../contract/errors.ts";
import { fromBase64url } from "../../domain/keys/hash.ts";
import { iso } from "../../domain/text/iso.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { Buyer, BuyerTokens } from "../../rules/checkout/buyer.ts";
import type { Partition } from "../../rules/records.ts";
import { type VerifyToken, withHostTokens } from "./host-tokens.ts";
import { loadJose } from "./load-jose.ts";
import { createRemoteTokens, type RemoteTokenOptions } from "./remote-tokens.ts";

/**
 * A signing key. `HS256` takes at least 32 random bytes. `EdDSA` takes an Ed25519
 * key pair; a process that only verifies tokens needs the public half alone.
 */
export type CustomerTokenKey =
  | { readonly kid: string; readonly alg: "HS256"; readonly secret: Uint8Array }
  | {
      readonly kid: string;
      readonly alg: "EdDSA";
      readonly publicKey: CryptoKey | KeyObject;
      readonly privateKey?: CryptoKey | KeyObject | undefined;
    };

/** The options that tell who makes and reads the buyers' tokens. */
export type CustomerTokenOptions = OwnTokenOptions | RemoteTokenOptions | HostTokenOptions;

/** Makes tokens that this package signs with keys of yours. */
export interface OwnTokenOptions {
  /** The newest key comes first. It signs new tokens; all keys verify. */
  readonly keys: readonly CustomerTokenKey[];
  /** The `iss` of the tokens, and `vitrine` by default. */
  readonly issuer?: string | undefined;
}

/** Reads tokens by your own code, alone or beside tokens that `keys` sign. */
export interface HostTokenOptions extends Partial<OwnTokenOptions> {
  /**
   * Reads a token of yours for the store and mode of the API key. `null` refuses
   * it, `"expired"` refuses it as expired. Judge in it that the token is for this
   * store, because nobody else can. An error that it throws is answered with 500
   * and reported to `onError`. With `keys`, a token that names one of them is never
   * given to it.
   */
  readonly verify: VerifyToken;
}

/** Names the buyer of a token, and tells how long it is valid. */
export interface TokenRequest extends Partition {
  /** Your own user id, or any other opaque id of at most 255 characters. */
  readonly customer_id: string;
  /** The number of seconds after which the token expires. Default 3,600, at most 86,400. */
  readonly ttl_seconds?: number | undefined;
}

/** A buyer's token and its end. */
export interface IssuedToken {
  readonly token: string;
  /** A time in ISO 8601, in UTC. */
  readonly expires_at: string;
}

export interface BuyerTokenService extends BuyerTokens {
  /**
   * Issues a token. Throws `invalid_option` when no key can sign, and
   * `parameter_invalid`.
   */
  issue(request: TokenRequest): Promise<IssuedToken>;
}

const tokenType = "customer+jwt";
export const clockSkewSeconds = 30;
const maxTokenLength = 8_192;
export const maxLifetimeSeconds = 86_400;

interface TokenConfig {
  readonly keys: readonly CustomerTokenKey[];
  readonly issuer: string;
  readonly now: () => number;
  readonly newTokenId: () => string;
}

/** Creates the service. Without options it has no keys, so every token is invalid. */
export function createBuyerTokens(
  options: CustomerTokenOptions | undefined,
  now: () => number,
  newTokenId: () => string,
): BuyerTokenService {
  if (options && "jwksUrl" in options) {
    const issue = async (): Promise<never> =>
      invalidOption("customerTokens", "has no keys of its own: your provider issues the tokens");
    return { ...createRemoteTokens(options, now), issue };
  }

  const { keys = [], issuer = "vitrine" } = options ?? {};
  const host = options && "verify" in options ? options : null;
  if (options && !(host && keys.length === 0)) checkKeys(keys);

  const config = { keys, issuer, now, newTokenId };
  const keysById = new Map(keys.map((key) => [key.kid, key]));
  const own: BuyerTokenService = {
    issue: (request) => issueToken(config, request),
    verify: (token, partition) => verifyToken(config, keysById, token, partition),
  };
  return host ? withHostTokens(own, host.verify, (token) => keysById.has(keyIdOf(token))) : own;
}

/** Gives the key that a token names in its header; no key has the empty name. */
function keyIdOf(token: string): string {
  try {
    const [header = ""] = token.slice(0, maxTokenLength).split(".", 1);
    const read: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(header) ?? undefined));
    const kid = typeof read === "object" && read !== null && "kid" in read ? read.kid : "";
    return typeof kid === "string" ? kid : "";
  } catch {
    return "";
  }
}

async function issueToken(
  { keys: [key], issuer, now, newTokenId }: TokenConfig,
  { store_id, livemode, customer_id, ttl_seconds = 3_600 }: TokenRequest,
): Promise<IssuedToken> {
  if (!key) {
    const how = "is missing: give a key, so that buyer tokens can be issued";
    return invalidOption("customerTokens", how);
  }
  if (!Number.isSafeInteger(ttl_seconds) || ttl_seconds < 1 || ttl_seconds > maxLifetimeSeconds)
    fail("parameter_invalid", {
      param: "ttl_seconds",
      message: `ttl_seconds must be from 1 to ${maxLifetimeSeconds}.`,
    });

  const signingKey = signingKeyOf(key);
  // `iat` keeps its milliseconds: they tell a token that was issued just after a revocation from
  // one that was issued just before it.
  const iat = now() / 1000;
  const exp = Math.floor(iat) + ttl_seconds;

  const { SignJWT } = await loadJose();
  const token = await new SignJWT({ livemode })
    .setProtectedHeader({ alg: key.alg, typ: tokenType, kid: key.kid })
    .setIssuer(issuer)
    .setAudience(store_id)
    .setSubject(customer_id)
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .setJti(newTokenId())
    .sign(signingKey);
  return { token, expires_at: iso(exp * 1_000) };
}

function signingKeyOf(key: CustomerTokenKey): CryptoKey | KeyObject | Uint8Array {
  if (key.alg === "HS256") return key.secret;

  const how = "has no private key to sign with: add `privateKey` to the first key";
  return key.privateKey ?? invalidOption("customerTokens", how);
}

async function verifyToken(
  { issuer, now }: TokenConfig,
  keysById: ReadonlyMap<string, CustomerTokenKey>,
  token: string,
  partition: Partition,
): Promise<Buyer> {
  if (token.length > maxTokenLength || token.split(".").length !== 3)
    return fail("invalid_customer_token");

  const { errors, jwtVerify } = await loadJose();
  const currentDate = new Date(now());

  const findKey = (header: JWTHeaderParameters): CryptoKey | KeyObject | Uint8Array => {
    const key = keysById.get(header.kid ?? "");
    // The key decides the algorithm, never the token. A token that brings its own key is refused.
    const bringsKey = ["jku", "jwk", "x5u", "x5c"].some((name) => name in header);
    if (!key || key.alg !== header.alg || bringsKey) throw new errors.JWSInvalid("no such key");

    return key.alg === "HS256" ? key.secret : key.publicKey;
  };

  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ["HS256", "EdDSA"],
      typ: tokenType,
      issuer,
      audience: partition.store_id,
      requiredClaims: ["sub", "iat", "exp", "jti", "livemode"],
      clockTolerance: clockSkewSeconds,
      currentDate,
    });
    return readClaims(payload, partition, currentDate.getTime());
  } catch (cause) {
    const isExpired = cause instanceof errors.JWTExpired;
    return fail(isExpired ? "customer_token_expired" : "invalid_customer_token", { cause });
  }
}

function readClaims(payload: JWTPayload, partition: Partition, now: number): Buyer {
  const { sub, iat, exp, aud } = payload;
  const isValid =
    typeof sub === "string" &&
    sub !== "" &&
    sub.length <= 255 &&
    isCleanText(sub) &&
    typeof iat === "number" &&
    typeof exp === "number" &&
    typeof aud === "string" &&
    payload["livemode"] === partition.livemode;
  if (!isValid) return fail("invalid_customer_token");

  const isFromFuture = iat * 1000 > now + clockSkewSeconds * 1000;
  if (isFromFuture || exp - iat > maxLifetimeSeconds) return fail("invalid_customer_token");

  return { customer_id: sub, issued_at: Math.round(iat * 1000) };
}

function checkKeys(keys: readonly CustomerTokenKey[]): void {
  if (keys.length === 0) invalidOption("customerTokens.keys", "must hold at least one key");

  const kids = new Set(keys.map((key) => key.kid));
  if (kids.size !== keys.length || keys.some((key) => !key.kid))
    invalidOption("customerTokens.keys", "must each have a `kid` of their own");

  for (const key of keys) {
    if (key.alg === "HS256" && (!(key.secret instanceof Uint8Array) || key.secret.length < 32))
      invalidOption(
        `customerTokens.keys[${key.kid}].secret`,
        "must be at least 32 random bytes (a Uint8Array, not text)",
      );
    if (key.alg !== "HS256" && key.alg !== "EdDSA")
      invalidOption("customerTokens.keys", "must be of alg HS256 or EdDSA");
  }
}
