import { type IdKind, timeOfId } from "../../domain/keys/ids.ts";
import type { Partition, StoreRecord } from "../records.ts";
import { offsetOf } from "./test-clock.ts";

/** The time in which the records of a store and mode live. */
export interface ModeTime {
  /** In epoch milliseconds. */
  readonly now: number;
  /** How far `now` is ahead of the real time. */
  readonly offset: number;
}

/** Tells the time of each store and mode, as it was turned at most a second ago. */
export interface ModeClock {
  of(partition: Partition): Promise<ModeTime>;
}

export const createModeClock = (
  now: () => number,
  findStore: (store_id: string) => Promise<StoreRecord | null>,
): ModeClock => ({
  async of({ store_id, livemode }) {
    const offset = livemode ? 0 : offsetOf(await findStore(store_id), livemode);
    return { now: now() + offset, offset };
  },
});

/**
 * Gives the real time at which a record was made, for a provider's books. Its id tells it:
 * the clock may have been turned since.
 */
export function madeAt(
  { offset }: Pick<ModeTime, "offset">,
  [kind, id]: readonly [IdKind, string],
  created_at: number,
): number {
  if (offset === 0) return created_at;
  return timeOfId(kind, id) ?? created_at - offset;
}
