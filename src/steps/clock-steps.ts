import {
  beginTurn,
  type ClockCommand,
  type ClockTurn,
  clockOf,
  nextTurn,
  type TestWork,
} from "../rules/clock/test-clock.ts";
import type { TestClock } from "../rules/records.ts";
import type { RecordStore } from "../storage/record-store.ts";

/** Sets how far the clock is turned, and takes the lease of the call that turns it. */
export const beginClock = (
  records: RecordStore,
  command: ClockCommand & { readonly ms: number },
): Promise<ClockTurn> => turn(records, "beginClock", command, (clock) => beginTurn(clock, command));

/** Turns the clock on by one step. The work that waits comes nearer in the same transaction. */
export const turnClock = (
  records: RecordStore,
  command: ClockCommand & { readonly passes_held: boolean },
): Promise<ClockTurn> =>
  turn(records, "turnClock", command, (clock, work) => nextTurn(clock, work, command));

/** Finds what waits in the test mode of a store, as `turnClock` does, and writes nothing. */
export const findTestWork = (
  records: RecordStore,
  store_id: string,
  now: number,
): Promise<TestWork> =>
  records.step<"store", TestWork>(
    {
      on: "store",
      step: "findTestWork",
      store_id,
      id: store_id,
      may: "change",
      test_work_at: now,
    },
    ({ test_work }) => ({ result: test_work ?? nothing }),
  );

const nothing: TestWork = { next_due: null, is_held: false };

const turn = (
  records: RecordStore,
  step: string,
  { store_id, now }: ClockCommand,
  decide: (clock: TestClock, work: TestWork) => ClockTurn,
): Promise<ClockTurn> =>
  records.step<"store", ClockTurn>(
    { on: "store", step, store_id, id: store_id, may: "change", test_work_at: now },
    ({ record, test_work }) => {
      if (!record) return { result: { outcome: "unknown_store" } };

      const result = decide(clockOf(record.store), test_work ?? nothing);
      if (!("clock" in result) || result.outcome === "taken" || result.outcome === "too_far")
        return { result };
      const store = { ...record.store, test_clock: result.clock };
      return { result, after: { ...record, store } };
    },
  );
