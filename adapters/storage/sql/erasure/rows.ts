import { sql } from "kysely";
import type { Erasure } from "#core/rules/owner/erasure.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

/** A chunk of an erasure begins here: behind `after` in the rows of one mode. */
export interface ChunkPlace {
  readonly livemode: 0 | 1;
  /** Empty when the chunk begins at the first row. */
  readonly after: string;
}

export interface RowChunk {
  readonly found: boolean;
  /** The last row that was looked at. Null means that the mode has no more rows. */
  readonly after: string | null;
}

export type EraseRows = (
  engine: SqlEngine,
  erasure: Erasure,
  place: ChunkPlace,
) => QueryGenerator<RowChunk>;

export const noMoreRows: RowChunk = { found: false, after: null };

/**
 * Makes a pattern for the records that may hold a property of this value. Letters
 * that mean something in a pattern stand for any letter: the parsed record decides.
 */
export function patternOf(property: Readonly<Record<string, string>>): string {
  const text = JSON.stringify(property).slice(1, -1);
  return `%${text.replace(/[\\%_]/g, "_")}%`;
}

interface BlankRecords {
  readonly table: "orders" | "checkout_sessions" | "subscriptions";
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly rows: readonly {
    readonly id: string;
    readonly record: string;
    /** The new value of the column, where the table has one. */
    readonly charge_at?: number | null;
  }[];
  /** The new value of the column `customer_id`, where the table has one. */
  readonly customer_id?: string;
}

/**
 * Writes all records in one statement. They are materialized so that SQLite looks up
 * the row of each; else it goes through them all once for each row of the store.
 */
export function* putBlankRecords(
  { db, dialect }: SqlEngine,
  { table, store_id, livemode, rows, customer_id }: BlankRecords,
): QueryGenerator<void> {
  if (rows.length === 0) return;

  const blank = sql<string>`${JSON.stringify(rows)}`;
  const customer = customer_id === undefined ? sql`` : sql`, customer_id = ${customer_id}`;
  const charge = table === "subscriptions" ? sql`, charge_at = b.charge_at` : sql``;
  const columns = { id: "text", record: "text", charge_at: "bigint" } as const;
  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", blank, columns)})
      update ${sql.table(table)} as r set record = b.record ${customer} ${charge} from b
      where r.store_id = ${store_id} and r.livemode = ${livemode} and r.id = b.id`.compile(db),
  );
}
