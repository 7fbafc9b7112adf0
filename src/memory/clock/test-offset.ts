import { offsetOf } from "../../rules/clock/test-clock.ts";
import type { Partition } from "../../rules/records.ts";
import type { MemoryState } from "../state.ts";

/** Gives how far the clock of a mode is ahead of the real time. */
export const testOffset = ({ access }: MemoryState, { store_id, livemode }: Partition): number =>
  offsetOf(access.stores.get(store_id), livemode);
