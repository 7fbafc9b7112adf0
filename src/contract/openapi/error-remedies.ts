import type { PublicErrorCode } from "../errors.ts";

/** Says what to do about an error. A code without an entry needs no more than its message. */
export const remedies: Partial<Readonly<Record<PublicErrorCode, string>>> = {
  missing_api_key:
    "Send the header on every call. The key query parameter alone does not authenticate.",
  invalid_api_key:
    "Check that the whole key was copied, that it belongs to this deployment, " +
    "and that test and live keys are not mixed.",
  api_key_revoked: "Create a new key in the dashboard and replace the old one wherever it is used.",
  secret_key_in_browser: "The key is public now: revoke it. Use a publishable key in browsers.",
  origin_not_allowed:
    "Register the page's origin exactly as the browser sends it, " +
    "and add ?key=<publishable key> to browser calls.",
  headless_disabled: "Enable the headless API in the store's settings.",
  insufficient_scope:
    "Use a key that holds the scope of the route; orders and events need a secret key.",
  redirect_url_not_allowed:
    "Register the URL's scheme, host, port and path as a return URL; the query is free. " +
    "With `localhost_origins` a test key may use every address on http://localhost.",
  product_unavailable:
    "Load the products again: one is inactive, blocked, deleted or of another store.",
  insufficient_stock: "Load the products again and lower the quantity.",
  coupon_invalid: "Ask for the total with POST /coupons/validate before the session is created.",
  missing_idempotency_key:
    "Make one key per purchase, e.g. a UUID, and keep it over retries of that purchase.",
  idempotency_key_reuse:
    "Use a new key for a new purchase; repeat the same body under the same key.",
  request_in_progress: "Wait as long as Retry-After says and repeat the same request.",
  session_changed: "Retrieve the session, and decide over what it holds now.",
  session_not_open:
    "It is paid, or a payment has begun. Begin a new checkout for what is still wanted.",
  session_expired: "Begin a new checkout with the same items.",
  subscription_ended: "Begin a new checkout with the same product.",
  license_invalid: "Check that the whole key was copied, and the mode of the API key.",
  license_revoked: "Its order was refunded or is disputed: the software must not go on.",
  activation_limit_reached: "Deactivate the key on another machine, or buy one more.",
  too_many_attempts: "Begin a new checkout: this session takes no more payments.",
  parameter_unknown: "Correct the name: a misspelt filter would otherwise answer with everything.",
  invalid_cursor: "Pass next_cursor of the same list, with the same filters, as starting_after.",
  rate_limit_exceeded:
    "Honour Retry-After. A client address may create 10 sessions a minute, and read one 60 times.",
  customer_token_expired: "Issue a new buyer token and repeat the call.",
  service_unavailable: "Repeat the request, with the same Idempotency-Key, after Retry-After.",
  internal_error: "Quote request_id in a support request.",
};
