/**
 * Reads a time of the bank (RFC 3339) as epoch milliseconds, and gives NaN for
 * anything else. A time without a zone is not accepted, because it would be read in
 * the zone of this machine, hours away from the bank's.
 */
export const readTime = (text: unknown): number =>
  typeof text === "string" && /T.*(?:Z|[+-]\d{2}:\d{2})$/i.test(text)
    ? Date.parse(text)
    : Number.NaN;
