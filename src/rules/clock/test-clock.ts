import { dayMs } from "../../domain/durations.ts";
import type { StoreRecord, TestClock } from "../records.ts";

/** A test clock is at most this far ahead of the real time. */
export const maxOffsetMs = 400 * dayMs;

/** Gives how far a mode of the store is ahead of the real time. Live mode never is. */
export const offsetOf = (
  store: Pick<StoreRecord, "test_clock"> | null | undefined,
  livemode: boolean,
): number => (livemode ? 0 : (store?.test_clock?.offset ?? 0));

/** What waits in the test mode of a store. */
export interface TestWork {
  /** The real time at which the next work is due that nobody holds. Null means that none waits. */
  readonly next_due: number | null;
  /** True while a worker holds work, or a call to a gateway has not ended. */
  readonly is_held: boolean;
}

/** Gives the store as it is once its test data is deleted: its clock was never turned. */
export function withoutClock({ test_clock: _turned, ...store }: StoreRecord): StoreRecord {
  return store;
}

/** How a turn of a test clock ends. */
export type ClockTurn =
  | { readonly outcome: "unknown_store" }
  /** Another call moves the clock, or has moved it. */
  | { readonly outcome: "taken"; readonly clock: TestClock }
  | { readonly outcome: "too_far"; readonly clock: TestClock }
  /** Work is due: it is done before the clock moves on. */
  | { readonly outcome: "due"; readonly clock: TestClock }
  /** Somebody holds work, which the clock waits for. */
  | { readonly outcome: "held"; readonly clock: TestClock }
  | { readonly outcome: "moved"; readonly clock: TestClock }
  | { readonly outcome: "ready"; readonly clock: TestClock };

/** A call that turns a clock. Times are real. */
export interface ClockCommand {
  readonly store_id: string;
  /** Names the call, whose lease ends at `until`. */
  readonly token: string;
  readonly now: number;
  readonly until: number;
}

const still: TestClock = { offset: 0, target: 0, lease: null };

/** Gives the clock of a store's test mode. */
export const clockOf = ({ test_clock }: StoreRecord): TestClock => test_clock ?? still;

/** Tells whether a clock has yet to come to its target, or a call still works for it. */
export const isTurning = ({ offset, target, lease }: TestClock): boolean =>
  target > offset || lease !== null;

/**
 * Decides how a call begins: it sets the target, or with 0 ms goes on to the one that is set.
 */
export function beginTurn(
  clock: TestClock,
  { token, now, until, ms }: ClockCommand & { readonly ms: number },
): ClockTurn {
  const { offset, lease } = clock;
  const isTaken = lease !== null && lease.token !== token && lease.until > now;
  if (isTaken || (ms > 0 && isTurning(clock))) return { outcome: "taken", clock };

  const target = ms > 0 ? offset + ms : clock.target;
  if (target > maxOffsetMs) return { outcome: "too_far", clock };
  return { outcome: "moved", clock: { offset, target, lease: { token, until } } };
}

/**
 * Decides the next turn of the call that has the lease: to the moment at which the next work
 * is due, or to the target. `passes_held` leaves behind what somebody holds for too long.
 */
export function nextTurn(
  clock: TestClock,
  work: TestWork,
  { token, now, until, passes_held }: ClockCommand & { readonly passes_held: boolean },
): ClockTurn {
  const { offset, target, lease } = clock;
  if (lease?.token !== token) return { outcome: "taken", clock };

  const held: TestClock = { offset, target, lease: { token, until } };
  const { next_due, is_held } = work;
  if (next_due !== null && next_due <= now) return { outcome: "due", clock: held };
  if (is_held && !passes_held) return { outcome: "held", clock: held };
  if (offset === target) return { outcome: "ready", clock: { offset, target, lease: null } };

  const ms = Math.min(target - offset, next_due === null ? target : next_due - now);
  return { outcome: "moved", clock: { ...held, offset: offset + ms } };
}
