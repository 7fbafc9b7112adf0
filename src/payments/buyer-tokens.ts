import type { CryptoKey, JWTPayload, KeyObject } from "jose";
import { fail } from "../contract/errors.ts";
import { isCleanText } from "../domain/plain.ts";
import { check } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import { invalidOption } from "../input/option-error.ts";
import type { Buyer, BuyerTokens } from "../rules/buyer.ts";
import type { Partition } from "../rules/records.ts";
import { loadJose } from "./load-jose.ts";
import { createRemoteTokens, type RemoteTokenOptions } from "./remote-tokens.ts";

/** One key of the ring. `HS256` takes at least 32 random bytes, `EdDSA` an Ed25519 pair (the private half only where tokens are issued). */
export type CustomerTokenKey =
  | { readonly kid: string; readonly alg: "HS256"; readonly secret: Uint8Array }
  | {
      readonly kid: string;
      readonly alg: "EdDSA";
      readonly publicKey: CryptoKey | KeyObject;
      readonly privateKey?: CryptoKey | KeyObject;
    };

export type CustomerTokenOptions = OwnTokenOptions | RemoteTokenOptions;

export interface OwnTokenOptions {
  /** The newest first: it signs; the others still verify. */
  readonly keys: readonly CustomerTokenKey[];
  /** `iss` of the tokens, `vitrine` by default. */
  readonly issuer?: string;
}

export interface TokenRequest extends Partition {
  /** Any opaque id of at most 255 characters, your own user id included. */
  readonly customer_id: string;
  /** Seconds; 3,600 by default, at most 86,400. */
  readonly ttl_seconds?: number;
}

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

export interface BuyerTokenService extends BuyerTokens {
  issue(request: TokenRequest): Promise<IssuedToken>;
}

const tokenType = "customer+jwt";
const skewSeconds = 30;
const maxLength = 8_192;

/** Without keys nothing verifies: every token is invalid. */
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
  const keys = options?.keys ?? [];
  const issuer = options?.issuer ?? "vitrine";
  if (options) checkKeys(keys);
  const byId = new Map(keys.map((key) => [key.kid, key]));

  return {
    async issue({ store_id, livemode, customer_id, ttl_seconds = 3_600 }) {
      const [key] = keys;
      if (!key)
        return invalidOption(
          "customerTokens",
          "is missing: give a key, so that buyer tokens can be issued",
        );
      check(foreignId, customer_id, "customer_id");
      if (!Number.isSafeInteger(ttl_seconds) || ttl_seconds < 1 || ttl_seconds > 86_400)
        fail("parameter_invalid", {
          param: "ttl_seconds",
          message: "ttl_seconds must be from 1 to 86400.",
        });
      const signer =
        key.alg === "HS256"
          ? key.secret
          : (key.privateKey ??
            invalidOption(
              "customerTokens",
              "has no private key to sign with: add `privateKey` to the first key",
            ));
      // With its milliseconds: a token made in the second of a revocation, but after it, is a good one.
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
        .sign(signer);
      return { token, expires_at: new Date(exp * 1000).toISOString() };
    },

    async verify(token, partition) {
      if (token.length > maxLength || token.split(".").length !== 3)
        return fail("invalid_customer_token");
      const { errors, jwtVerify } = await loadJose();
      const current = new Date(now());
      try {
        const { payload } = await jwtVerify(
          token,
          (header) => {
            const key = byId.get(header.kid ?? "");
            // The algorithm is pinned by the key, never taken from the token; keys named by the token itself are refused.
            if (
              !key ||
              key.alg !== header.alg ||
              "jku" in header ||
              "jwk" in header ||
              "x5u" in header ||
              "x5c" in header
            )
              throw new errors.JWSInvalid("no such key");
            return key.alg === "HS256" ? key.secret : key.publicKey;
          },
          {
            algorithms: ["HS256", "EdDSA"],
            typ: tokenType,
            issuer,
            audience: partition.store_id,
            requiredClaims: ["sub", "iat", "exp", "jti", "livemode"],
            clockTolerance: skewSeconds,
            currentDate: current,
          },
        );
        return readClaims(payload, partition, current.getTime());
      } catch (cause) {
        return fail(
          cause instanceof errors.JWTExpired ? "customer_token_expired" : "invalid_customer_token",
          { cause },
        );
      }
    },
  };
}

function readClaims(payload: JWTPayload, partition: Partition, now: number): Buyer {
  const { sub, iat, exp, aud } = payload;
  const valid =
    typeof sub === "string" &&
    sub !== "" &&
    sub.length <= 255 &&
    isCleanText(sub) &&
    typeof iat === "number" &&
    typeof exp === "number" &&
    typeof aud === "string" &&
    payload["livemode"] === partition.livemode;
  if (!valid || iat * 1000 > now + skewSeconds * 1000 || exp - iat > 86_400)
    return fail("invalid_customer_token");
  return { customer_id: sub, issued_at: Math.round(iat * 1000) };
}

function checkKeys(keys: readonly CustomerTokenKey[]): void {
  if (keys.length === 0) invalidOption("customerTokens.keys", "must hold at least one key");
  if (new Set(keys.map((key) => key.kid)).size !== keys.length || keys.some((key) => !key.kid))
    invalidOption("customerTokens.keys", "must each have a `kid` of their own");
  for (const key of keys) {
    if (key.alg === "HS256" && (!(key.secret instanceof Uint8Array) || key.secret.length < 32)) {
      invalidOption(
        `customerTokens.keys[${key.kid}].secret`,
        "must be at least 32 random bytes (a Uint8Array, not text)",
      );
    }
    if (key.alg !== "HS256" && key.alg !== "EdDSA")
      invalidOption("customerTokens.keys", "must be of alg HS256 or EdDSA");
  }
}
