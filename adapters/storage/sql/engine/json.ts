import type { Partition } from "../../../../src/rules/records.ts";

export const toBool = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** The columns of a partition. */
export const own = (partition: Partition): { store_id: string; livemode: 0 | 1 } => ({
  store_id: partition.store_id,
  livemode: toBool(partition.livemode),
});

// What was written by this library is read back as the type it was written as: the one place of this cast.
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;
