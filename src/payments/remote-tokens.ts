import type { createRemoteJWKSet, JWTPayload } from "jose";
import { fail, isApiError } from "../contract/errors.ts";
import { parseUrl } from "../domain/parse-url.ts";
import { isCleanText } from "../domain/plain.ts";
import { invalidOption } from "../input/option-error.ts";
import type { Buyer, BuyerTokens } from "../rules/buyer.ts";
import type { Partition } from "../rules/records.ts";
import { loadJose } from "./load-jose.ts";

/** Whom a token of your own identity provider stands for. */
export interface MappedClaims extends Partition {
  readonly customer_id: string;
}

/** Buyer tokens that your identity provider issues, verified by its published keys. */
export interface RemoteTokenOptions {
  /** https, or http on this machine. Fetched on first use, kept, and fetched again when a token names an unknown key (at most every 30 s). */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** The buyer, store and mode of a token that was verified; null refuses it. */
  readonly mapClaims: (claims: JWTPayload) => MappedClaims | null;
}

/** Of published keys only: a shared secret cannot be published. */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];
const skewSeconds = 30;

export function createRemoteTokens(
  { jwksUrl, issuer, audience, mapClaims }: RemoteTokenOptions,
  now: () => number,
): BuyerTokens {
  const url = parseUrl(jwksUrl);
  const local =
    url?.protocol === "http:" && (url.hostname === "localhost" || url.hostname === "127.0.0.1");
  if (!url || (url.protocol !== "https:" && !local))
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
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  return {
    async verify(token, partition) {
      const { createRemoteJWKSet, errors, jwtVerify } = await loadJose();
      keys ??= createRemoteJWKSet(url);
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          issuer,
          audience,
          requiredClaims: ["iat", "exp"],
          clockTolerance: skewSeconds,
          currentDate: new Date(now()),
        });
        return readMapped(payload, mapClaims(payload), partition, now());
      } catch (cause) {
        if (isApiError(cause)) throw cause;
        if (cause instanceof errors.JWTExpired) return fail("customer_token_expired", { cause });
        // A provider that cannot be reached, or publishes no key set, says nothing about the token.
        const providerFaults = [errors.JWKSTimeout, errors.JWKSInvalid, errors.JOSEError].map(
          ({ code }) => code,
        );
        const judged = cause instanceof errors.JOSEError && !providerFaults.includes(cause.code);
        return judged
          ? fail("invalid_customer_token", { cause })
          : fail("service_unavailable", { retry_after: 1, cause });
      }
    },
  };
}

function readMapped(
  { iat = 0 }: JWTPayload,
  mapped: MappedClaims | null,
  partition: Partition,
  now: number,
): Buyer {
  const valid =
    mapped !== null &&
    mapped.store_id === partition.store_id &&
    mapped.livemode === partition.livemode &&
    typeof mapped.customer_id === "string" &&
    mapped.customer_id !== "" &&
    mapped.customer_id.length <= 255 &&
    isCleanText(mapped.customer_id);
  if (!valid || iat * 1000 > now + skewSeconds * 1000) return fail("invalid_customer_token");
  return { customer_id: mapped.customer_id, issued_at: iat * 1000 };
}
