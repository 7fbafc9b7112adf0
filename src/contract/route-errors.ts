import { type PublicErrorCode, publicErrors } from "./errors.ts";
import type { Route } from "./route.ts";

/** The codes with which every route can answer. */
const everywhere: readonly PublicErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "api_key_revoked",
  "secret_key_in_browser",
  "origin_not_allowed",
  "headless_disabled",
  "store_maintenance",
  "rate_limit_exceeded",
  "parameter_invalid",
  "parameter_unknown",
  "internal_error",
  "service_unavailable",
];

/**
 * Gives every code that a route can answer with, in the order of the error table:
 * those of every route, those that follow from the properties of the route, and
 * those in its `errors`.
 */
export function errorsOf(route: Route): readonly PublicErrorCode[] {
  const codes = new Set<PublicErrorCode>([...everywhere, ...route.errors]);
  const add = (...more: readonly PublicErrorCode[]): void =>
    more.forEach((code) => void codes.add(code));

  if (route.scope !== null) add("insufficient_scope");
  if (route.buyer) add("invalid_customer_token", "customer_token_expired");
  if (route.buyer === "required") add("missing_customer_token");
  if (route.params) add("resource_not_found");
  if (route.body)
    add("parameter_missing", "invalid_json", "request_too_large", "unsupported_media_type");
  if (route.idempotent)
    add(
      "missing_idempotency_key",
      "invalid_idempotency_key",
      "idempotency_key_reuse",
      "request_in_progress",
    );

  return (Object.keys(publicErrors) as PublicErrorCode[]).filter((code) => codes.has(code));
}
