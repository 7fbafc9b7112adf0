import type { SqlDialect } from "../schema/dialect.ts";

/** A step of the schema. A released one is never edited: each database keeps its checksum. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /**
   * The statements. On PostgreSQL `$range[table:key,columns]` stands in a statement that fills
   * old rows, for the condition which names a chunk of the rows of the alias `c`.
   */
  readonly statements: Readonly<Record<SqlDialect["name"], readonly string[]>>;
  /** The oldest migration whose processes may go on working after this one. */
  readonly compatible_from: number;
  /** The checksums that earlier builds gave it. A database with one of them is as good. */
  readonly former_checksums?: readonly string[];
  /** Recorded without its statements where the database cannot index text. */
  readonly needsTextIndex?: boolean;
}
