import type { ClientErrorCode } from "./types.ts";

interface Told {
  readonly code: string;
  readonly message?: string;
  readonly param?: string | null;
  readonly type?: string;
  readonly docs_url?: string;
  readonly request_id?: string;
}

const brand = Symbol.for("vitrine.StorefrontError");
const retryable = /^(network_error|timeout|request_in_progress)$/;

/** What the API refused, or what kept it from answering. Act on `code`; `message` may change. */
export class StorefrontError extends Error {
  readonly code: ClientErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly type: string | null;
  readonly param: string | null;
  readonly request_id: string | null;
  readonly docs_url: string | null;
  /** Seconds that the API asks to wait. */
  readonly retryAfter: number | null;
  /** The same call may succeed later; the client has tried as often as it was told to. */
  readonly retryable: boolean;
  readonly [brand] = true;

  constructor(
    { code, message = code, param = null, type = "", docs_url = "", request_id = "" }: Told,
    status: number,
    retryAfter: number | null,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "StorefrontError";
    this.code = code;
    this.status = status;
    this.type = type || null;
    this.param = param;
    this.request_id = request_id || null;
    this.docs_url = docs_url || null;
    this.retryAfter = retryAfter || null;
    this.retryable = retryable.test(code) || status === 429 || status === 503;
  }
}

/** True for an error of any copy of this client. */
export const isStorefrontError = (error: unknown): error is StorefrontError => error instanceof Object && brand in error;
