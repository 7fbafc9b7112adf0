import { z } from "zod";
import { fail } from "../contract/errors.ts";
import { sleep } from "../domain/async/sleep.ts";
import { dayMs } from "../domain/durations.ts";
import { iso } from "../domain/text/iso.ts";
import { check, checkId } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import {
  type ClockCommand,
  type ClockTurn,
  clockOf,
  isTurning,
  maxOffsetMs,
} from "../rules/clock/test-clock.ts";
import type { TestClock } from "../rules/records.ts";
import { beginClock, turnClock } from "../steps/clock-steps.ts";
import { type OwnerContext, requireStore, unknownStore } from "./context.ts";

const AdvanceInput = z.strictObject({
  store_id: foreignId,
  ms: z.number().int().min(0).max(maxOffsetMs),
});
/** How far the clock of a store's test mode is turned on. */
export interface AdvanceInput extends z.input<typeof AdvanceInput> {}

/** The clock of a store's test mode. */
export interface OwnerClock {
  readonly store_id: string;
  /** `advancing` until the clock has come to `target`, and all work that was due is done. */
  readonly status: "advancing" | "ready";
  /** The time in the test mode, in ISO 8601. */
  readonly now: string;
  /** The clock moves until `now` is this. */
  readonly target: string;
  /** Milliseconds that the test mode is ahead of the real time. */
  readonly offset_ms: number;
}

/** Moves the clock of a store's test mode. Live mode has none, and `wipeTestData` resets it. */
export interface OwnerTestClock {
  /**
   * Moves the clock by `ms` milliseconds, at most 400 days in all. At each moment at which work
   * is due, the clock stops and the work is done, so that the work of a year is done in its
   * order. After 20 s the call answers `advancing`: call it again with 0 ms to go on, also when the
   * process has died meanwhile. Throws `invalid_transition` while it is still advancing.
   */
  advance(input: AdvanceInput): Promise<OwnerClock>;
  retrieve(store_id: string): Promise<OwnerClock>;
}

/** Another process may go on after this time, when the one that moves the clock has died. */
const leaseMs = 30_000;
/** A call works for so long before it answers. */
const workMs = 20_000;
/**
 * Work that somebody holds for longer is left behind. Work of a process that has died is free
 * earlier: a call to a gateway ends within 150 s, and leases of the test mode are shorter.
 */
const patienceMs = 160_000;
const pauseMs = 50;

export function createTestClock(ctx: OwnerContext): OwnerTestClock {
  const holds: Holds = new Map();

  return {
    async advance(input) {
      const { store_id, ms } = check(AdvanceInput, input);
      const token = ctx.newId("req");
      const command = () => ({ store_id, token, now: ctx.now(), until: ctx.now() + leaseMs });

      const begun = accept(await beginClock(ctx.storage.records, { ...command(), ms }), ms);
      if (begun === null) return waitForOther(ctx, store_id);
      ctx.changed(store_id);
      return render(ctx, store_id, await turnOn(ctx, command, holds));
    },

    async retrieve(store_id) {
      const store = await requireStore(ctx, checkId("store_id", store_id));
      return render(ctx, store_id, clockOf(store));
    },
  };
}

/** The times (`performance.now`) since which clocks wait for what is held, by their stores. */
type Holds = Map<string, number>;

/** Gives the clock that this call turns. Null means that it waits for the call that does. */
function accept(begun: ClockTurn, ms: number): TestClock | null {
  switch (begun.outcome) {
    case "unknown_store":
      return unknownStore();
    case "too_far": {
      const most = `${maxOffsetMs / dayMs} days`;
      const message = `A test clock is turned by at most ${most} in all; wipeTestData resets it.`;
      return fail("parameter_invalid", { param: "ms", message });
    }
    case "taken":
      if (ms === 0) return null;
      return fail("invalid_transition", {
        param: "ms",
        message: "The test clock is still advancing: call advance with 0 ms until it is ready.",
      });
    default:
      return begun.clock;
  }
}

/** Moves the clock and does the work that comes due, until it is ready or the time is over. */
async function turnOn(
  ctx: OwnerContext,
  command: () => ClockCommand,
  holds: Holds,
): Promise<TestClock> {
  const started = performance.now();
  const { store_id } = command();

  for (;;) {
    const heldSince = holds.get(store_id);
    const passes_held = heldSince !== undefined && performance.now() - heldSince > patienceMs;
    const turned = await turnClock(ctx.storage.records, { ...command(), passes_held });
    if (turned.outcome === "unknown_store") return unknownStore();

    const { outcome, clock } = turned;
    const isLost = outcome === "taken" || outcome === "too_far";
    if (isLost || outcome === "ready") {
      holds.delete(store_id);
      return clock;
    }

    ctx.changed(store_id);
    if (outcome === "moved") holds.delete(store_id);
    if (outcome === "held") holds.set(store_id, heldSince ?? performance.now());
    if (performance.now() - started > workMs) return clock;
    if (outcome === "held") await sleep(pauseMs);
    if (outcome === "due") await ctx.doTestWork(store_id);
  }
}

/** Waits while another call moves the clock, until that one has died or this one must answer. */
async function waitForOther(ctx: OwnerContext, store_id: string): Promise<OwnerClock> {
  const started = performance.now();
  for (;;) {
    const clock = clockOf(await requireStore(ctx, store_id));
    const isAlone = !isTurning(clock) || (clock.lease?.until ?? 0) <= ctx.now();
    if (isAlone || performance.now() - started > workMs) return render(ctx, store_id, clock);
    await sleep(pauseMs * 4);
  }
}

function render(ctx: OwnerContext, store_id: string, clock: TestClock): OwnerClock {
  const now = ctx.now();
  return {
    store_id,
    status: isTurning(clock) ? "advancing" : "ready",
    now: iso(now + clock.offset),
    target: iso(now + Math.max(clock.offset, clock.target)),
    offset_ms: clock.offset,
  };
}
