import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import type { Param, TextRows } from "../../engine/queries.ts";
import { TextRowReader, textRow } from "../../engine/text-rows.ts";

/** A product as a list reads it, with its document and its place in the list. */
export interface DocumentRow {
  readonly id: string;
  readonly position: number;
  readonly document: string;
  /** The format of the document. */
  readonly document_version: number;
  /** The catalog version that the row was read at. A replica's rows have it. */
  readonly catalog_version?: number | null;
}

export interface DocumentShape {
  readonly livemode: boolean;
  /** True when the rows come from a replica and tell how new they are. */
  readonly replica: boolean;
}

export const documentColumn = (livemode: boolean) =>
  livemode ? ("document_live" as const) : ("document_test" as const);

/**
 * Selects a product as a text row. `table` is the table or alias that the columns
 * are read of, and `place` the number that the list is sorted by.
 */
export const documentTextRow = (
  { livemode, replica }: DocumentShape,
  param: Param,
  table = "products",
  place: RawBuilder<unknown> = sql.ref(`${table}.position`),
): AliasedRawBuilder<string, "text_row"> =>
  textRow(
    sql.ref(`${table}.document_version`),
    place,
    replica ? sql`coalesce(${catalogVersion(param)}, -1)` : sql`''`,
    sql.ref(`${table}.id`),
    sql.ref(`${table}.${documentColumn(livemode)}`),
  );

/** Reads what `documentTextRow` selected. */
export function readDocumentRows(textRows: TextRows): DocumentRow[] {
  const rows: DocumentRow[] = [];
  for (const text of textRows) {
    if (text === null) continue;
    const row = new TextRowReader(text);
    rows.push({
      document_version: row.integer(),
      position: row.integer(),
      catalog_version: row.integerOrNull(),
      id: row.text(),
      document: row.rest(),
    });
  }
  return rows;
}

/** Selects the store's catalog version in the statement that reads a replica's rows. */
export const catalogVersion = (param: Param) => sql<number>`(
  select s.catalog_version from ${sql.table("stores")} as s where s.id = ${param("store_id")})`;

/** Selects the catalog version beside a replica's rows, and nothing on the primary. */
export const replicaVersion = (replica: boolean, param: Param) =>
  replica ? [catalogVersion(param).as("catalog_version")] : [];

interface Versioned {
  readonly catalog_version?: number | null;
}

/**
 * Checks that a replica's rows are as new as the caller asks, or throws, so that
 * the primary is asked. An empty result tells no version, and counts as too old. A
 * primary's rows always pass.
 */
export const requireFreshness =
  (replica: boolean) =>
  <Row extends Versioned>(rows: readonly Row[], wanted = 0): readonly Row[] => {
    if (replica && (rows[0]?.catalog_version ?? -1) < wanted)
      throw new Error("The replica is behind.");
    return rows;
  };
