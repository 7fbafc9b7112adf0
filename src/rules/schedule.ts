const minute = 60_000;
const hour = 60 * minute;

/** SPEC 3.3: what a failed attempt waits for, by its number from 1. Seven attempts, then `exhausted`. */
export const defaultSchedule: readonly number[] = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  24 * hour,
];

/** When the next attempt is due after attempt number `attempt` ended in failure; null when it was the last. */
export function nextDue(
  schedule: readonly number[],
  attempt: number,
  ended_at: number,
): number | null {
  const wait = schedule[attempt - 1];
  return wait === undefined ? null : ended_at + wait;
}
