/** The largest amount in cents, because the API writes up to ten digits before the point. */
export const largestAmount = 999_999_999_999;

/** Writes cents as the API does: `123.45`. */
export function toPixAmount(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads `123.45` as cents, digit by digit. It gives null for anything else. */
export function fromPixAmount(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{1,10}\.\d{2}$/.test(text)) return null;
  return Number(text.replace(".", ""));
}
