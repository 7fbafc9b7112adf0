import { fail } from "../contract/errors.ts";

/**
 * Throws `invalid_option` for a wrong option. `fault` goes on after its name and
 * says what is right.
 */
export function invalidOption(name: string, fault: string): never {
  fail("invalid_option", { param: name, message: `Option ${name} ${fault}.` });
}

/** Refuses a call without a signal: what runs until its signal aborts would never end. */
export function requireSignal(signal: AbortSignal | undefined): void {
  if (typeof signal?.aborted !== "boolean")
    invalidOption("signal", "is missing: pass an AbortSignal, which ends it");
}
