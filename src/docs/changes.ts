/**
 * Lists the changes that callers of the API can notice, the newest first.
 * CHANGELOG.md lists the others too.
 */
export const changes = [
  "The API document has an example of each body, answer and parameter, and an absolute address.",
  "A query name that a route does not know is 400 `parameter_unknown`. It was ignored before. " +
    "`utm_…`, `fbclid`, `gclid` and `_` pass.",
  "With `localhost_origins` a store takes test keys from every page on localhost, and sends " +
    "their buyers back there.",
  "`{CHECKOUT_SESSION_ID}` in the query of `success_url` and `cancel_url` is replaced.",
  "`GET /orders?checkout_session_id=` finds the order of a session.",
  "The event `order.refund_failed`: a refund that was under way or done has failed.",
] as const;
