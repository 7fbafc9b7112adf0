import { fail } from "../contract/errors.ts";
import { nearestName } from "../domain/text/nearest.ts";

/**
 * Throws `invalid_option` for a wrong option. `fault` goes on after its name and
 * says what is right, or asks what was meant.
 */
export function invalidOption(name: string, fault: string): never {
  const end = fault.endsWith("?") ? "" : ".";
  fail("invalid_option", { param: name, message: `Option ${name} ${fault}${end}` });
}

/** Refuses a call without a signal: what runs until its signal aborts would never end. */
export function requireSignal(signal: AbortSignal | undefined): void {
  if (typeof signal?.aborted !== "boolean")
    invalidOption("signal", "is missing: pass an AbortSignal, which ends it");
}

/** Refuses what is no signal, such as the controller of one: its abort would not end the run. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal != null && typeof signal.aborted !== "boolean")
    invalidOption("signal", "must be an AbortSignal");
}

/** Refuses a call without its options, or with something else in their place. */
export function requireOptions(given: unknown, maker: string): void {
  if (typeof given === "object" && given !== null) return;
  fail("invalid_option", { param: "options", message: `${maker} takes an object of options.` });
}

/**
 * Holds the names of all options of a type: the compiler refuses a missing name, and one that the
 * type does not have.
 */
export type OptionNames<Options, Rule = true> = { readonly [Name in keyof Options]-?: Rule };

/**
 * Refuses an option that nothing reads: a misspelt one would silently do nothing.
 * `parent` is the option that holds the others.
 */
export function refuseUnknownOptions<Options extends object>(
  given: Options | null | undefined,
  known: OptionNames<Options, unknown>,
  parent = "",
): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (Object.hasOwn(known, name) || value === undefined) continue;

    const names = Object.keys(known);
    const nearest = nearestName(name, names);
    const path = parent === "" ? "" : `${parent}.`;
    const hint =
      nearest === null
        ? `the options here are ${names.map((each) => path + each).join(", ")}`
        : `did you mean ${path}${nearest}?`;
    invalidOption(path + name, `is not known: ${hint}`);
  }
}
