/**
 * What `new URL` makes of a text, null when it is no address. `URL.canParse` is not asked: in Node 20, once it is compiled, it refuses
 * whatever holds a letter such as ü.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
