import { type RawBuilder, sql } from "kysely";
import type { Partition } from "#core/rules/records.ts";
import type { Param } from "./queries.ts";

/** Stores a boolean as 0 or 1, which every database can. */
export const toBool = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Gives a store's mode as the columns that partitioned tables begin with. */
export const partitionColumns = (partition: Partition): { store_id: string; livemode: 0 | 1 } => ({
  store_id: partition.store_id,
  livemode: toBool(partition.livemode),
});

interface StoreMode {
  readonly store_id: string;
  readonly livemode: boolean | 0 | 1;
}

const columnOf = (name: string, table?: string) =>
  sql.ref(table === undefined ? name : `${table}.${name}`);

/** Makes the condition that a row belongs to a store in one mode; `table` names its table. */
export function ofPartition(of: StoreMode, table?: string): RawBuilder<boolean> {
  const { store_id, livemode } = partitionColumns({ ...of, livemode: !!of.livemode });
  const ofStore = sql`${columnOf("store_id", table)} = ${store_id}`;
  return sql<boolean>`${ofStore} and ${columnOf("livemode", table)} = ${livemode}`;
}

/** Makes the same condition with the parameters of a prepared statement. */
export function ofPartitionParams(param: Param): RawBuilder<boolean> {
  const ofStore = sql`${columnOf("store_id")} = ${param<string>("store_id")}`;
  return sql<boolean>`${ofStore} and ${columnOf("livemode")} = ${param<0 | 1>("livemode")}`;
}

/**
 * Reads JSON that this library wrote as the type that it was written from. This is
 * the one place of that cast.
 */
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;

/** The highest character. A text that begins with a phrase sorts before the phrase and this. */
export const highest = "\u{10FFFF}";
