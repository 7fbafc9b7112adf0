import type { PublicErrorCode } from "../contract/errors.ts";
import type { Caller } from "../operations/caller.ts";
import type { Buyer } from "../rules/checkout/buyer.ts";
import type { AccessRecord } from "../rules/records.ts";
import type { SentRequest } from "../rules/request-log/sent-request.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import type { ApiTarget, RouteMatch } from "./router.ts";
import type { WireRequest } from "./wire.ts";

export interface EarlierRequest {
  /** The id is null when the request is not known, or has no answer yet. */
  readonly request_id: string | null;
  /** What was sent. Null when that was the same request, or when it is not known. */
  readonly sent: SentRequest | null;
}

/**
 * The part of a request that is known so far. The steps of `serve` fill it in their
 * order.
 */
export interface RequestState {
  readonly request_id: string;
  readonly request: WireRequest;
  readonly target: ApiTarget;
  readonly query: ParsedQuery;
  livemode: boolean;
  /**
   * The CORS headers. It is null until the `key` parameter names a store
   * with the request's origin.
   */
  cors: Record<string, string> | null;
  access: AccessRecord | null;
  match: RouteMatch | null;
  buyer: Buyer | null;
  /** The code of the answer, when that is an error. */
  error_code: PublicErrorCode | null;
  /** The parameter that the error names. */
  error_param: string | null;
  /** The body as it was received. It is undefined until the body was read. */
  body: unknown;
  /**
   * The request that used the Idempotency-Key before, when that is the reason
   * for the answer.
   */
  earlier: EarlierRequest | null;
  /** The headers of the rate limit, which every later answer carries. */
  readonly headers: Record<string, string>;
}

export const newRequestState = (
  request_id: string,
  request: WireRequest,
  target: ApiTarget,
): RequestState => ({
  request_id,
  request,
  target,
  query: parseQuery(target.query),
  livemode: false,
  cors: null,
  access: null,
  match: null,
  buyer: null,
  error_code: null,
  error_param: null,
  body: undefined,
  earlier: null,
  headers: {},
});

/** Gives what a request with a body has sent. */
export const sentBy = ({ body, buyer }: RequestState): SentRequest => ({
  body,
  customer_id: buyer?.customer_id ?? null,
});

/**
 * Gives the access that the request's key opened. It is an error of ours to ask
 * before authentication.
 */
export function accessOf(state: RequestState): AccessRecord {
  if (!state.access) throw new Error("The request has not been authenticated.");
  return state.access;
}

/** Gives the authenticated caller in the form that operations take. */
export const callerOf = (state: RequestState): Caller => ({
  access: accessOf(state),
  buyer: state.buyer,
  channel: state.request.channel,
});
