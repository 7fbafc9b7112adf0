import type { ClientOperation as Operation } from "../contract/client-paths.ts";
import type { ErrorCodeOf } from "./types.ts";

const brand = Symbol.for("vitrine.StorefrontError");

/** The error object of an answer, with the fields that the answer had. */
export interface ErrorParts {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly type?: string | null;
  readonly param?: string | null;
  readonly request_id?: string | null;
  readonly docs_url?: string | null;
  readonly retry_after?: number | null;
}

/**
 * A failed call rejects with this error. Decide by `code`, because `message` may
 * change.
 */
export class StorefrontError<O extends Operation = Operation> extends Error {
  declare readonly code: ErrorCodeOf<O> | (string & {});
  /** The HTTP status, or 0 when there was no answer. */
  declare readonly status: number;
  /** The family of the code, e.g. `invalid_request_error`. */
  declare readonly type: string | null;
  /** Names the offending parameter, e.g. `items[0].quantity`. */
  declare readonly param: string | null;
  /** Quote it in a support request. */
  declare readonly request_id: string | null;
  /** The documentation of this error is at this address. */
  declare readonly docs_url: string | null;
  /** The number of seconds that the answer asked the caller to wait. */
  declare readonly retry_after: number | null;
  readonly [brand] = true;

  constructor(parts: ErrorParts, cause?: unknown) {
    super(parts.message, { cause });
    this.name = "StorefrontError";
    this.code = parts.code;
    this.status = parts.status ?? 0;
    this.type = parts.type ?? null;
    this.param = parts.param ?? null;
    this.request_id = parts.request_id ?? null;
    this.docs_url = parts.docs_url ?? null;
    this.retry_after = parts.retry_after ?? null;
  }
}

/**
 * Says whether a value is this error, of any copy of this package. The type
 * parameter narrows `code` to the codes of an operation:
 * `isStorefrontError<"getOrder">(error)`.
 */
export const isStorefrontError = <O extends Operation = Operation>(
  error: unknown,
): error is StorefrontError<O> => typeof error === "object" && error !== null && brand in error;
