import type { SqlDialect } from "../schema/dialect.ts";

/** A step of the schema. A released one is never edited: each database keeps its checksum. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: Readonly<Record<SqlDialect["name"], readonly string[]>>;
  /** Recorded without its statements where the database cannot index text. */
  readonly needsTextIndex?: boolean;
}
