import type { Buyer } from "../rules/buyer.ts";
import type { AccessRecord, Partition } from "../rules/records.ts";

/** Who calls an operation: an accepted key with its store and, where a buyer token came along, the buyer. */
export interface Caller {
  readonly access: AccessRecord;
  readonly buyer: Buyer | null;
}

export const partitionOf = ({ access }: Caller): Partition => ({
  store_id: access.store.id,
  livemode: access.key.livemode,
});
