import { fail } from "../../../src/contract/errors.ts";

/** What an error of stripe-node tells. Other errors have none of these. */
interface StripeFailure {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly payment_intent?: unknown;
}

/** Stripe has judged the request and done nothing. Any other error leaves the result open. */
const refusals: ReadonlySet<unknown> = new Set([
  "StripeInvalidRequestError",
  "StripeCardError",
  "StripeAuthenticationError",
  "StripePermissionError",
]);

/** Stripe did not answer, or could not: the same request may succeed later. */
const outages: ReadonlySet<unknown> = new Set([
  "StripeConnectionError",
  "StripeAPIError",
  "StripeRateLimitError",
]);

export interface Refusal {
  /** Stripe's `code`, such as `charge_already_refunded`. */
  readonly code: string | null;
  readonly message: string;
  readonly isDecline: boolean;
  /** The id of the intent that was declined. */
  readonly intent: string | null;
}

/** Reads an error by which Stripe has definitely refused; throws any other one again. */
export function refusalOf(error: unknown): Refusal {
  const { type, code, message, payment_intent } = (error ?? {}) as StripeFailure;
  if (!refusals.has(type)) throw error;

  const intent = (payment_intent as { readonly id?: unknown } | undefined)?.id;
  return {
    code: typeof code === "string" ? code : null,
    message: typeof message === "string" ? message : "Stripe has refused the request.",
    isDecline: type === "StripeCardError",
    intent: typeof intent === "string" ? intent : null,
  };
}

/** Throws `service_unavailable` when Stripe cannot be asked now, and any other error as it is. */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { type } = (error ?? {}) as StripeFailure;
    if (outages.has(type)) return fail("service_unavailable", { cause: error });
    throw error;
  }
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
