import type { Buyer } from "../rules/checkout/buyer.ts";
import { offsetOf } from "../rules/clock/test-clock.ts";
import type { AccessRecord, Partition } from "../rules/records.ts";

/** The caller of an operation: an accepted key with its store. */
export interface Caller {
  readonly access: AccessRecord;
  /** Null when the request has no buyer token. */
  readonly buyer: Buyer | null;
  /** The agent's entry that makes the request. Absent for every other caller. */
  readonly channel?: string | undefined;
}

/** Gives the time in which the caller's records live, as the store was read with the key. */
export const modeTime = ({ access }: Caller, now: number): number =>
  now + offsetOf(access.store, access.key.livemode);

export const partitionOf = ({ access }: Caller): Partition => ({
  store_id: access.store.id,
  livemode: access.key.livemode,
});
