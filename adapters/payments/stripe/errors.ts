/** An error of stripe-node tells this. Other errors have none of these fields. */
interface StripeFailure {
  readonly type?: unknown;
  readonly statusCode?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly decline_code?: unknown;
  readonly payment_intent?: unknown;
}

/**
 * The errors with which Stripe refuses a request and changes nothing. After any other error the
 * result is unknown.
 */
const refusals: ReadonlySet<unknown> = new Set([
  "StripeInvalidRequestError",
  "StripeCardError",
  "StripeAuthenticationError",
  "StripePermissionError",
]);

/**
 * By these statuses Stripe refuses a request. 409 is not one of them: it says that
 * the first request under the key still runs, although stripe 18 gives it the type
 * of a refusal.
 */
const refusalStatuses: ReadonlySet<unknown> = new Set([400, 401, 402, 403, 404]);

export interface Refusal {
  /** Stripe's `code`, such as `charge_already_refunded`. */
  readonly code: string | null;
  readonly message: string;
  readonly isDecline: boolean;
  /** True when the key lacks the right to this call. */
  readonly isForbidden: boolean;
  /** The bank's word for a declined card, such as `insufficient_funds`. */
  readonly decline_code: string | null;
  /** The id of the intent that was declined. */
  readonly intent: string | null;
}

/** Reads an error by which Stripe has definitely refused; throws any other one again. */
export function refusalOf(error: unknown): Refusal {
  const failure = (error ?? {}) as StripeFailure;
  const { type, statusCode, code, message, decline_code, payment_intent } = failure;
  if (!refusals.has(type) || !refusalStatuses.has(statusCode)) throw error;

  const intent = (payment_intent as { readonly id?: unknown } | undefined)?.id;
  return {
    code: typeof code === "string" ? code : null,
    message: typeof message === "string" ? message : "Stripe has refused the request.",
    isDecline: type === "StripeCardError",
    isForbidden: type === "StripePermissionError",
    decline_code: typeof decline_code === "string" ? decline_code : null,
    intent: typeof intent === "string" ? intent : null,
  };
}

/** Gives null for what Stripe does not know under this id. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (refusalOf(error).code === "resource_missing") return null;
    throw error;
  }
}

/** Tells whether the secret, the time or the bytes do not fit the signature of a message. */
export const isWrongSignature = (error: unknown): boolean =>
  (error as StripeFailure | null)?.type === "StripeSignatureVerificationError";
