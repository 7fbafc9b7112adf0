import type { AttemptRecord } from "../payments/payment-records.ts";

// A record tells the time of its mode. What makes work due waits for a real time, so that
// workers compare the work of all stores with one clock.

/** Gives the real time at which a time of a mode comes, which is `offset` ahead. */
export function dueAt(time: number | null | undefined, offset: number): number | null {
  return time == null ? null : time - offset;
}

/** Tells whether `check_at` is the end of the call to the gateway, which takes real time. */
export const awaitsCall = ({
  check_at,
  call_ends_at,
}: Pick<AttemptRecord, "check_at" | "call_ends_at">): boolean => check_at === call_ends_at;

/** Gives the real time at which maintenance asks about an attempt. */
export const attemptDueAt = (
  attempt: Pick<AttemptRecord, "check_at" | "call_ends_at">,
  offset: number,
): number | null => (awaitsCall(attempt) ? attempt.check_at : dueAt(attempt.check_at, offset));
