import { invalidOption } from "../input/option-error.ts";

/** Refuses a name that no cursor can have. */
export function requireConsumer(consumer: unknown): void {
  if (typeof consumer !== "string" || consumer.length < 1 || consumer.length > 100)
    invalidOption("consumer", "must be a name of 1 to 100 characters");
}
