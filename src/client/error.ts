import type { Operation } from "../contract/paths.ts";
import type { ErrorCodeOf } from "./types.ts";

const brand = Symbol.for("vitrine.StorefrontError");

/** The error object of an answer (SPEC 2.9), as far as it was there. */
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

/** Every call that fails rejects with one. Act on `code`; `message` may change (SPEC 9). */
export class StorefrontError<O extends Operation = Operation> extends Error {
  readonly code: ErrorCodeOf<O> | (string & {});
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly type: string | null;
  /** Name of the offending parameter, e.g. `items[0].quantity`. */
  readonly param: string | null;
  readonly request_id: string | null;
  readonly docs_url: string | null;
  /** Seconds to wait, when the answer said so. */
  readonly retry_after: number | null;
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

/** True for an error of any copy of this package; name the operation for its own codes: `isStorefrontError<"getOrder">(error)`. */
export const isStorefrontError = <O extends Operation = Operation>(
  error: unknown,
): error is StorefrontError<O> => typeof error === "object" && error !== null && brand in error;
