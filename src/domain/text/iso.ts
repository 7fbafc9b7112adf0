/** The texts of the last times: a purchase writes few of them, and each often. */
const written = new Map<number, string>();

/** Writes a time as ISO 8601 in UTC. Throws a RangeError when there is no such time. */
export function iso(time: number): string {
  const known = written.get(time);
  if (known) return known;

  const text = new Date(time).toISOString();
  if (written.size > 255) written.clear();
  written.set(time, text);
  return text;
}

export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
