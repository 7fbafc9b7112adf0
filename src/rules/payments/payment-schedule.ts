import { dayMs, hourMs, minuteMs } from "../../domain/durations.ts";
import { crc32 } from "../../domain/keys/crc32.ts";
import type { AttemptRecord } from "./payment-records.ts";

// These rules tell when maintenance asks the gateway about an attempt that has no result.

/** The gateway is asked this often about a payment that is in flight. */
const inFlightCheckMs = 10 * minuteMs;

/** A payment whose answer was lost is asked about after this time. */
const lostAnswerCheckMs = minuteMs;

/**
 * A call of a gateway lasts 120 s at most; the clocks of two machines may differ by
 * the rest.
 */
const longestCallMs = 150_000;

const days = Array.from({ length: 14 }, (_, index) => (index + 1) * dayMs);

/** The questions about an `unknown` attempt come at these times, counted from its `expires_at`. */
const unknownChecksMs: readonly number[] = [
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8].map((hours) => hours * hourMs),
  ...days,
];

/** Gives the time until which the first call to the gateway may still run. */
export const callEndsAt = (now: number): number => now + longestCallMs;

/** A charge begins soon after its attempt was written, or not at all. */
const chargeBeginsWithinMs = 30_000;

/** Gives the time until which the first call to the gateway may begin. */
export const callBeginsBy = ({ call_ends_at }: Pick<AttemptRecord, "call_ends_at">): number =>
  call_ends_at - longestCallMs + chargeBeginsWithinMs;

/**
 * Gives the time at which an attempt in flight is asked about next. It is at the
 * latest when it expires. No buyer waits for the charge of a renewal, which may take days: a sixth
 * of its age passes between two questions, up to an hour.
 */
export function nextCheckInFlight(
  { expires_at, renews, created_at }: Pick<AttemptRecord, "expires_at" | "renews" | "created_at">,
  now: number,
): number {
  const patience = renews ? Math.min(hourMs, (now - created_at) / 6) : 0;
  const next = now + Math.max(inFlightCheckMs, Math.floor(patience));
  return Math.max(now, Math.min(next, expires_at));
}

/** Gives the time at which an attempt whose answer was lost is asked about first. */
export const firstCheckAfterLoss = (now: number): number => now + lostAnswerCheckMs;

/**
 * Gives the time at which an `unknown` attempt is asked about next. It gives null
 * once fourteen days are over. The times of different attempts differ, so that they
 * do not come all at once. They depend on the attempt alone, so that every process
 * computes the same ones.
 */
export function nextCheckOfUnknown(
  { id, expires_at }: Pick<AttemptRecord, "id" | "expires_at">,
  now: number,
): number | null {
  const delays = unknownChecksMs.map((delay, index) => {
    const previous = unknownChecksMs[index - 1] ?? 0;
    return delay + (delay - previous) * jitter(id, index);
  });
  // The time is rounded up, because a question in the very millisecond of one
  // before would be the same one again.
  const next = delays.find((delay) => expires_at + delay > now);
  return next === undefined ? null : Math.ceil(expires_at + next);
}

/**
 * Gives up to a tenth of the wait, earlier or later. The last question never comes
 * after day 14.
 */
function jitter(id: string, index: number): number {
  const share = crc32(`${id}.${index}`) / 0xffff_ffff;
  const isLast = index === unknownChecksMs.length - 1;
  return isLast ? share * -0.1 : share * 0.2 - 0.1;
}
