import { fail } from "../contract/errors.ts";

/** A wrong option, told at start-up with the way to mend it. */
export function invalidOption(name: string, how: string): never {
  fail("invalid_option", { param: name, message: `Option ${name} ${how}.` });
}

/** What runs until its signal aborts would never end without one. */
export function requireSignal(signal: AbortSignal | undefined): void {
  if (typeof signal?.aborted !== "boolean")
    invalidOption("signal", "is missing: pass an AbortSignal, which ends it");
}
