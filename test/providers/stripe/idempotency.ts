import type { Answer } from "./api.ts";
import { StripeFault } from "./fault.ts";

interface Kept {
  /** Method, path and parameters of the first request. */
  readonly request: string;
  /** Epoch seconds. */
  readonly at: number;
  /** Null while the first request runs. */
  answer: Answer | null;
}

const lifetimeSeconds = 86_400;

/** The keys of one Stripe: https://docs.stripe.com/api/idempotent_requests. */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>();

  /** Gives the answer that is repeated; null for a request that may run. */
  begin(key: string, request: string, now: number): Answer | null {
    const known = this.#kept.get(key);
    if (!known || now - known.at >= lifetimeSeconds) {
      this.#kept.set(key, { request, at: now, answer: null });
      return null;
    }
    if (known.request !== request)
      throw new StripeFault(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    if (known.answer === null)
      throw new StripeFault(409, {
        type: "invalid_request_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (${key}).`,
      });
    return known.answer;
  }

  /** Keeps the answer. A request that was refused for its parameters never ran: its key is free. */
  end(key: string, answer: Answer): void {
    const kept = this.#kept.get(key);
    if (answer.status === 400 || answer.status === 404) this.#kept.delete(key);
    else if (kept) kept.answer = answer;
  }
}
