import { fail } from "./contract/errors.ts";

/** A wrong option, told at start-up with the way to mend it. */
export function invalidOption(name: string, how: string): never {
  fail("invalid_option", { param: name, message: `Option ${name} ${how}.` });
}
