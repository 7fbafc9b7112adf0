import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

/** All that the databases disagree about; nothing else asks which one it is. */
export interface SqlDialect {
  readonly name: "sqlite" | "postgres";
  /** Column type of ids and names that are sorted: by bytes, whatever the database's collation. */
  readonly idType: string;
  /** Locks the rows that a later statement of the step depends on. */
  forUpdate<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** The same, without waiting for rows that another worker holds. */
  skipLocked<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** Is `part` a substring, every character taken as text? */
  contains(text: Expression<string>, part: Expression<string>): RawBuilder<boolean>;
}

export const sqlite: SqlDialect = {
  name: "sqlite",
  idType: "text",
  forUpdate: (query) => query,
  skipLocked: (query) => query,
  contains: (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`,
};

export const postgres: SqlDialect = {
  name: "postgres",
  idType: 'text collate "C"',
  forUpdate: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  contains: (text, part) => sql<boolean>`strpos(${text}, ${part}) > 0`,
};
