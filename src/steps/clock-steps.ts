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

/** Sets how far the clock moves, and takes the lease of the call that moves it. */
export const beginClock = (
  records: RecordStore,
  command: ClockCommand & { readonly ms: number },
): Promise<ClockTurn> => turn(records, "beginClock", command, (clock) => beginTurn(clock, command));

/** Moves the clock by one step. The work that waits comes nearer in the same transaction. */
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
    subjectOf("findTestWork", { store_id, now }),
    ({ test_work }) => ({ result: test_work ?? nothing }),
  );

const nothing: TestWork = { next_due: null, is_held: false };

/** Names the store with what waits in its test mode. */
const subjectOf = (step: string, { store_id, now }: Pick<ClockCommand, "store_id" | "now">) =>
  ({ on: "store", step, store_id, id: store_id, may: "change", test_work_at: now }) as const;

const turn = (
  records: RecordStore,
  step: string,
  command: ClockCommand,
  decide: (clock: TestClock, work: TestWork) => ClockTurn,
): Promise<ClockTurn> =>
  records.step<"store", ClockTurn>(subjectOf(step, command), ({ record, test_work }) => {
    if (!record) return { result: { outcome: "unknown_store" } };

    const result = decide(clockOf(record.store), test_work ?? nothing);
    if (!("clock" in result) || result.outcome === "taken" || result.outcome === "too_far")
      return { result };
    const store = { ...record.store, test_clock: result.clock };
    return { result, after: { ...record, store } };
  });
