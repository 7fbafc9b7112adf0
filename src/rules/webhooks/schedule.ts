import { hourMs, minuteMs } from "../../domain/durations.ts";

/**
 * The waits after the first, second, … failed attempt, in milliseconds. With six waits there are
 * seven attempts; after the last one the delivery is `exhausted`.
 */
export const defaultSchedule: readonly number[] = [
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  24 * hourMs,
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
