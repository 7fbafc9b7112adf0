import type { Buyer } from "../rules/checkout/buyer.ts";
import type { AccessRecord, Partition } from "../rules/records.ts";

/** The caller of an operation: an accepted key with its store. */
export interface Caller {
  readonly access: AccessRecord;
  /** Null when the request has no buyer token. */
  readonly buyer: Buyer | null;
}

export const partitionOf = ({ access }: Caller): Partition => ({
  store_id: access.store.id,
  livemode: access.key.livemode,
});
