import type { Partition } from "../rules/records.ts";

/** Gives the key of a row that belongs to one store and mode. */
export const rowKey = (partition: Partition, id: string | number = ""): string =>
  `${partition.store_id}\n${partition.livemode ? "live" : "test"}\n${id}`;
