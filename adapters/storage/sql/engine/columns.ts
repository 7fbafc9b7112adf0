import type { Partition } from "#core/rules/records.ts";

/** Stores a boolean as 0 or 1, which every database can. */
export const toBool = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Gives a store's mode as the columns that partitioned tables begin with. */
export const partitionColumns = (partition: Partition): { store_id: string; livemode: 0 | 1 } => ({
  store_id: partition.store_id,
  livemode: toBool(partition.livemode),
});

/**
 * Reads JSON that this library wrote as the type that it was written from. This is
 * the one place of that cast.
 */
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;
