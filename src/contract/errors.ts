/** A row holds the HTTP status, the family of the code, and the text that a client sees. */
type ErrorRow = readonly [status: number, type: string, message: string];

const invalid = "invalid_request_error";
const authentication = "authentication_error";
const permission = "permission_error";
const idempotency = "idempotency_error";
const limited = "rate_limit_error";
const api = "api_error";

/**
 * Lists every error of the public API (docs/contract/errors.md#errors). A request can end
 * with an error only through `fail(code)`.
 */
export const publicErrors = {
  missing_api_key: [
    401,
    authentication,
    "The Authorization header is missing. Send `Authorization: Bearer <API_KEY>`.",
  ],
  invalid_api_key: [401, authentication, "The API key is wrong or belongs to another environment."],
  api_key_revoked: [401, authentication, "The API key has been revoked. Create a new one."],
  missing_customer_token: [
    401,
    authentication,
    "The buyer token is missing. Send it in X-Service-Customer-Token.",
  ],
  invalid_customer_token: [401, authentication, "The buyer token is not valid for this store."],
  customer_token_expired: [401, authentication, "The buyer token has expired. Issue a new one."],
  secret_key_in_browser: [
    403,
    permission,
    "A secret key was used from a browser. Revoke it and use a publishable key there.",
  ],
  origin_not_allowed: [403, permission, "The page's origin is not registered with this store."],
  headless_disabled: [403, permission, "The headless API is not enabled for this store."],
  insufficient_scope: [403, permission, "The API key lacks the scope of this route."],
  redirect_url_not_allowed: [
    400,
    invalid,
    "The URL is not registered as a return URL of this store.",
  ],
  product_unavailable: [400, invalid, "A product in the list cannot be bought."],
  insufficient_stock: [400, invalid, "There is not enough stock of a product in the list."],
  currency_mismatch: [400, invalid, "The products of one session must share one currency."],
  amount_out_of_range: [
    400,
    invalid,
    "The total is larger than the largest amount that can be charged.",
  ],
  coupon_invalid: [400, invalid, "The coupon cannot be applied."],
  missing_idempotency_key: [
    400,
    invalid,
    "The Idempotency-Key header is missing. Send one value per purchase, e.g. a UUID.",
  ],
  invalid_idempotency_key: [
    400,
    invalid,
    "The Idempotency-Key must be 1 to 255 visible ASCII characters.",
  ],
  parameter_missing: [400, invalid, "A required parameter is missing."],
  parameter_invalid: [400, invalid, "A parameter has a value that is not accepted."],
  parameter_unknown: [400, invalid, "The route does not know a parameter of the query."],
  parameter_conflict: [400, invalid, "Two parameters contradict each other."],
  invalid_cursor: [400, invalid, "The cursor is not from this list."],
  cursor_expired: [
    400,
    invalid,
    "Events after this cursor have been pruned. Start again from the oldest event.",
  ],
  invalid_json: [400, invalid, "The body is not valid JSON."],
  license_invalid: [404, invalid, "This store has no such license key."],
  resource_not_found: [404, invalid, "There is no such resource in this store."],
  route_not_found: [404, invalid, "There is no such route."],
  method_not_allowed: [405, invalid, "The route does not take this method."],
  request_too_large: [413, invalid, "The body is larger than 64 KiB."],
  unsupported_media_type: [
    415,
    invalid,
    "The body must be sent as application/json without a content encoding.",
  ],
  idempotency_key_reuse: [409, idempotency, "The Idempotency-Key was used with a different body."],
  request_in_progress: [
    409,
    idempotency,
    "A request with this Idempotency-Key is still being processed.",
  ],
  session_changed: [409, invalid, "The checkout session has changed since it was read."],
  session_not_open: [409, invalid, "The checkout session is not open."],
  session_expired: [409, invalid, "The checkout session has expired."],
  subscription_ended: [409, invalid, "The subscription has ended."],
  license_revoked: [409, invalid, "The license key has been revoked."],
  activation_limit_reached: [409, invalid, "The license key has no activation left."],
  too_many_attempts: [409, invalid, "Too many payments of this checkout session have failed."],
  rate_limit_exceeded: [429, limited, "Too many requests. Wait as long as Retry-After says."],
  internal_error: [500, api, "Something went wrong on our side."],
  store_maintenance: [503, api, "The store is in maintenance."],
  service_unavailable: [503, api, "The service is unavailable for a moment. Try again."],
} as const satisfies Record<string, ErrorRow>;

/**
 * Only the service API throws these errors; the public API never answers with one. A row holds the
 * HTTP status that fits where a route of the host throws it, and the text.
 */
export const serviceErrors = {
  invalid_transition: [409, "The order's state does not allow this."],
  trial_used: [409, "The buyer has already used the trial."],
  payment_mismatch: [409, "The amount or currency paid differs from the order's."],
  refund_exceeds_balance: [409, "The refund is larger than what is left of the payment."],
  gateway_error: [502, "The payment gateway could not be used."],
  invalid_gateway_result: [502, "The payment gateway gave a result that cannot be used."],
  notification_refused: [
    400,
    "The gateway refused the message: its signature is wrong, or it cannot be read.",
  ],
  precondition_failed: [412, "The record has changed since it was read."],
  endpoint_url_not_allowed: [400, "The webhook URL is not allowed."],
  invalid_origin: [400, "The origin must be `https://host[:port]` or `http://localhost[:port]`."],
  invalid_return_url: [
    400,
    "The return URL must be `https` or `http://localhost`, without query, fragment or user info.",
  ],
  invalid_option: [500, "An option is wrong."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** The public API answers with errors of these codes. */
export type PublicErrorCode = keyof typeof publicErrors;

/** The codes of the errors that this package throws. */
export type ErrorCode = PublicErrorCode | keyof typeof serviceErrors;

/** An error has these details besides its code. */
export interface ErrorDetails {
  /** Names the offending parameter, e.g. `items[0].quantity`. */
  readonly param?: string;
  /**
   * Replaces the text of the table. It must not contain a key, a token or the wrong
   * value.
   */
  readonly message?: string;
  /** The value of the header `Retry-After`, in seconds. */
  readonly retry_after?: number;
  /** The value of the header `Allow`, which lists the methods of the route. */
  readonly allow?: string;
  /** The month, such as `2019-03`, whose orders the host keeps in files: this may be one. */
  readonly archived_in?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for("vitrine.ApiError");

/** An error that this library throws on purpose. Decide by `code`, because `message` may change. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  /** The HTTP status that fits: Express and Fastify answer with it where your route throws. */
  readonly statusCode: number;
  readonly details: ErrorDetails;
  readonly [brand] = true;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(
      details.message ?? textOf(code),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = "ApiError";
    this.code = code;
    this.param = details.param ?? null;
    this.statusCode = isPublicError(code) ? publicErrors[code][0] : serviceErrors[code][0];
    this.details = details;
  }
}

/** Says whether a value is an ApiError of any copy of this package. */
export const isApiError = (error: unknown): error is ApiError =>
  typeof error === "object" && error !== null && brand in error;

export const isPublicError = (code: string): code is PublicErrorCode =>
  Object.hasOwn(publicErrors, code);

export function fail(code: ErrorCode, details?: ErrorDetails): never {
  throw new ApiError(code, details);
}

const textOf = (code: ErrorCode): string =>
  isPublicError(code) ? publicErrors[code][2] : serviceErrors[code][1];
