/** Decodes a percent-encoding (RFC 3986, 2.1). Gives null when it is a bad one. */
export function decodePercent(encoded: string): string | null {
  if (!encoded.includes("%")) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
