import type { createRemoteJWKSet, JWTPayload } from "jose";
import { fail } from "../../contract/errors.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { isSafeTransport } from "../../domain/url-rules.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { Buyer, BuyerTokens } from "../../rules/checkout/buyer.ts";
import type { Partition } from "../../rules/records.ts";
import { loadJose } from "./load-jose.ts";

/**
 * Names the buyer, store and mode that a token of your own identity provider stands
 * for.
 */
export interface MappedClaims extends Partition {
  readonly customer_id: string;
}

/**
 * Takes buyer tokens that your identity provider issues. They are verified with its
 * published keys.
 */
export interface RemoteTokenOptions {
  /**
   * An https address, or an http address of this machine. The first token
   * makes the key set load; it is kept, and loaded again when a token names an
   * unknown key, at most every 30 s.
   */
  readonly jwksUrl: string;
  /** The provider writes this `iss`. */
  readonly issuer: string;
  /** The provider writes this `aud` for this API. */
  readonly audience: string;
  /**
   * Maps the claims of a verified token. `partition` is the store and mode of the
   * API key, for a provider whose tokens name no store. Return null to refuse the
   * token. An error that it throws is answered with 500 `internal_error` and
   * reported to `onError`.
   */
  readonly mapClaims: (claims: JWTPayload, partition: Partition) => MappedClaims | null;
}

/**
 * Only signatures with a public key are taken: a shared secret cannot be
 * published in a key set.
 */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];
const clockSkewSeconds = 30;

export function createRemoteTokens(options: RemoteTokenOptions, now: () => number): BuyerTokens {
  const { issuer, audience, mapClaims } = options;
  const url = checkOptions(options);
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  return {
    async verify(token, partition) {
      const jose = await loadJose();
      keys ??= jose.createRemoteJWKSet(url);

      const verified = await jose
        .jwtVerify(token, keys, {
          algorithms,
          issuer,
          audience,
          requiredClaims: ["iat", "exp"],
          clockTolerance: clockSkewSeconds,
          currentDate: new Date(now()),
        })
        .catch((cause: unknown) => refuseToken(jose.errors, cause));

      // An error of `mapClaims` is a fault of the host's code: it is reported and
      // answered 500.
      const { payload } = verified;
      return readMapped(payload, mapClaims(payload, partition), partition, now());
    },
  };
}

function checkOptions({ jwksUrl, issuer, audience, mapClaims }: RemoteTokenOptions): URL {
  const url = parseUrl(jwksUrl);
  if (!url || !isSafeTransport(url))
    return invalidOption("customerTokens.jwksUrl", "must be an https URL");
  if (!issuer)
    invalidOption("customerTokens.issuer", "is missing: the `iss` that your provider writes");
  if (!audience)
    invalidOption(
      "customerTokens.audience",
      "is missing: the `aud` that your provider writes for this API",
    );
  if (typeof mapClaims !== "function")
    invalidOption("customerTokens.mapClaims", "is missing: it says which buyer a token stands for");

  return url;
}

type JoseErrors = typeof import("jose").errors;

function refuseToken(errors: JoseErrors, cause: unknown): never {
  if (cause instanceof errors.JWTExpired) return fail("customer_token_expired", { cause });

  // These errors say that the key set could not be loaded, and nothing about the token. A bare
  // JOSEError is an answer of the provider that is not 200, or not JSON.
  const keySetErrors = [errors.JWKSTimeout, errors.JWKSInvalid, errors.JOSEError];
  const codes = keySetErrors.map(({ code }) => code);
  const isTokenError = cause instanceof errors.JOSEError && !codes.includes(cause.code);

  if (isTokenError) return fail("invalid_customer_token", { cause });
  return fail("service_unavailable", { retry_after: 1, cause });
}

function readMapped(
  { iat = 0 }: JWTPayload,
  mapped: MappedClaims | null,
  partition: Partition,
  now: number,
): Buyer {
  const isValid =
    mapped !== null &&
    mapped.store_id === partition.store_id &&
    mapped.livemode === partition.livemode &&
    typeof mapped.customer_id === "string" &&
    mapped.customer_id !== "" &&
    mapped.customer_id.length <= 255 &&
    isCleanText(mapped.customer_id);
  const isFromFuture = iat * 1000 > now + clockSkewSeconds * 1000;
  if (!isValid || isFromFuture) return fail("invalid_customer_token");

  return { customer_id: mapped.customer_id, issued_at: iat * 1000 };
}
