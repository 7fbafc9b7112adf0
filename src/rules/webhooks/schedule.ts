const minute = 60_000;
const hour = 60 * minute;

/**
 * These are the waits after the first, second, … failed attempt, in milliseconds.
 * With six waits there are seven attempts; after the last one the delivery is
 * `exhausted`.
 */
export const defaultSchedule: readonly number[] = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  24 * hour,
];

/**
 * Gives the time of the next attempt after attempt number `attempt`, counted from
 * 1, has failed. It gives null when it was the last.
 */
export function nextDue(
  schedule: readonly number[],
  attempt: number,
  ended_at: number,
): number | null {
  const wait = schedule[attempt - 1];
  return wait === undefined ? null : ended_at + wait;
}
