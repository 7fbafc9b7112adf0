import { isCleanText } from "../../domain/text/plain.ts";
import type { SavedMethod } from "./gateway-results.ts";

// Checks of what a gateway in plain JavaScript may give, before any of it is stored.

/** The longest id of a provider that every storage can index. */
const longestName = 500;

/** Tells whether the value is a text that is not empty, and that every storage can hold. */
export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && isCleanText(value);

/** Tells whether the value can name something at a provider. */
export const isName = (value: unknown): value is string =>
  isText(value) && value.length <= longestName;

/** Tells whether the value is an amount of money, in minor units. */
export const isAmount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export const isCurrency = (value: unknown): value is string =>
  typeof value === "string" && /^[A-Z]{3}$/.test(value);

/** The last time that a `Date` can hold. */
const lastTime = 8.64e15;

/** Tells whether the value is a time in epoch milliseconds. */
export const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= lastTime;

/** Tells whether the value is a means of payment that can be kept. */
export function isSavedMethod(value: unknown): value is SavedMethod {
  const { reference, kind, label, expires_at } = (value ?? {}) as Partial<SavedMethod>;
  return [reference, kind, label].every(isText) && (expires_at == null || isTime(expires_at));
}
