import {
  ApiError,
  isApiError,
  isPublicError,
  type PublicErrorCode,
  publicErrors,
} from "../../contract/errors.ts";
import type { HttpContext } from "../context.ts";
import { newRequestState, type RequestState } from "../request-state.ts";
import type { WireReply, WireRequest } from "../wire.ts";
import { baseHeaders, bodyFor } from "./reply.ts";

/**
 * Makes the answer for whatever was thrown. No other code answers with an error. An
 * error that is not ours is reported to the host, and the client is told
 * `internal_error` and nothing else.
 */
export function errorReply(ctx: HttpContext, state: RequestState, thrown: unknown): WireReply {
  const { code, error } = publicError(ctx, thrown);
  const param = error.param ?? defaultParam(code);
  state.error_code = code;
  state.error_param = param;

  const [status, type] = publicErrors[code];
  const { retry_after, allow } = error.details;
  const headers = baseHeaders(state, null);
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (retry_after !== undefined) headers["retry-after"] = String(retry_after);
  if (allow !== undefined) headers["allow"] = allow;

  const body = JSON.stringify({
    error: {
      type,
      code,
      message: error.message,
      param,
      docs_url: `${ctx.docsUrl}#${code}`,
    },
    livemode: state.livemode,
    request_id: state.request_id,
  });
  return { status, headers, body: bodyFor(state, headers, body) };
}

/**
 * Answers a request whose path is not below the base path, for hosts that have no
 * other routes.
 */
export function notFound(ctx: HttpContext, request: WireRequest): WireReply {
  const state = newRequestState(ctx.newId("req"), request, { path: "", query: "" });
  const message = `There is no such route: the API answers below ${ctx.basePath}.`;
  return errorReply(ctx, state, new ApiError("route_not_found", { message }));
}

interface PublicError {
  readonly code: PublicErrorCode;
  readonly error: ApiError;
}

function publicError(ctx: HttpContext, thrown: unknown): PublicError {
  if (!isApiError(thrown) || !isPublicError(thrown.code)) {
    ctx.onError(thrown, "request");
    return { code: "internal_error", error: new ApiError("internal_error") };
  }

  if (thrown.code === "service_unavailable") ctx.onError(thrown.details.cause ?? thrown, "storage");
  return { code: thrown.code, error: thrown };
}

/** Gives the parameter that is named when the error itself names none. */
function defaultParam(code: PublicErrorCode): string | null {
  if (code.endsWith("_idempotency_key")) return "Idempotency-Key";
  if (code.includes("customer_token")) return "X-Service-Customer-Token";
  return defaultParams[code] ?? null;
}

const defaultParams: Readonly<Partial<Record<PublicErrorCode, string>>> = {
  invalid_cursor: "starting_after",
  cursor_expired: "starting_after",
  coupon_invalid: "coupon_code",
  license_invalid: "license_key",
  resource_not_found: "id",
  product_unavailable: "items",
  insufficient_stock: "items",
  currency_mismatch: "items",
  amount_out_of_range: "items",
};
