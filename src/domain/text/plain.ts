const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Says whether a text has no NUL and no lone surrogates: every storage returns such
 * a text unchanged.
 */
export const isCleanText = (text: string): boolean =>
  !text.includes("\u0000") && isWellFormed(text);

// The runtime's own function is faster, which counts because every text of a request is checked.
// Node 20 and later have it; some other runtimes do not.
const hasIsWellFormed = "isWellFormed" in String.prototype;
const isWellFormed = (text: string): boolean =>
  hasIsWellFormed
    ? (text as string & { isWellFormed(): boolean }).isWellFormed()
    : !loneSurrogate.test(text);

const unclean = new RegExp(`\0|${loneSurrogate.source}`, "g");

/** Puts U+FFFD in the place of NUL and lone surrogates. */
export const cleanText = (text: string): string =>
  isCleanText(text) ? text : text.replace(unclean, "\ufffd");

/** Counts whole characters, as zod and JSON Schema do: an emoji is one, and has two code units. */
export const lengthOf = (text: string): number => [...text].length;

/** Copies plain data, with each text in it changed. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]),
  );
}

/** Matches one e-mail address, without what separates or comments addresses in a message's head. */
export const emailPattern = /^[^\s@<>(),;:"\\[\]\p{Cc}]+@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u;

/**
 * Says whether no value of the JSON text is nested deeper than `max`. It counts the
 * brackets outside strings and does not call itself, so that no text can overflow
 * the stack.
 */
export function jsonDepth(text: string, max: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charCodeAt(index);
    if (inText) {
      if (letter === 0x5c) index += 1;
      else if (letter === 0x22) inText = false;
    } else if (letter === 0x22) inText = true;
    else if (letter === 0x7b || letter === 0x5b) {
      depth += 1;
      if (depth > max) return false;
    } else if (letter === 0x7d || letter === 0x5d) depth -= 1;
  }
  return true;
}
