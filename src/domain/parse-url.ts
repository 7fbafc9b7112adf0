/**
 * Returns null when the text is no address. It does not use `URL.canParse`: that
 * function of Node 20, once it is optimised, refuses every text with a letter such
 * as ü.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
