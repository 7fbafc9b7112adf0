import { dayMs, minuteMs } from "../domain/durations.ts";
import { invalidOption } from "../input/option-error.ts";
import type { TestWork } from "../rules/clock/test-clock.ts";

const longestLeapMs = 3_653 * dayMs;
/** What comes due within so much time of each other is done at once. */
const shortestStepMs = 1_000;

/** A shop whose clock can be moved. */
export interface Clockwork {
  now(): number;
  findWork(): Promise<TestWork>;
  /** Moves the clock, then does the work that is due. */
  turn(ms: number): Promise<void>;
}

/**
 * Lets time pass as it does where maintenance runs every minute: the clock stops at each moment at
 * which work is due, so that what a long leap brings comes in its order and at its time. A leap of
 * 0 is one turn.
 */
export async function passTime(ms: number, { now, findWork, turn }: Clockwork): Promise<void> {
  if (!Number.isFinite(ms) || ms < 0 || ms > longestLeapMs)
    invalidOption("ms", `must be a number of milliseconds from 0 to ${longestLeapMs} (ten years)`);

  let left = ms;
  // Work that stays due, or that somebody holds, is looked at again after longer and longer pauses.
  let pause = minuteMs;
  do {
    const { next_due, is_held } = await findWork();
    const wait = next_due === null ? left : next_due - now();
    const isStuck = is_held || wait <= 0;

    const step = Math.min(
      left,
      wait > 0 ? Math.max(wait, shortestStepMs) : pause,
      isStuck ? pause : left,
    );
    pause = isStuck ? pause * 2 : minuteMs;
    left -= step;
    await turn(step);
  } while (left > 0);
}
