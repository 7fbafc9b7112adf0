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
  /** What follows a raw select whose rows are to be changed and which others may hold. */
  readonly skipLockedText: RawBuilder<unknown>;
  /** What follows a raw select that locks the rows of one alias. */
  lockText(alias: string): RawBuilder<unknown>;
  /** May a statement write within a select, and a joined select use the row before it? Else there are more statements, which cost little in one process. */
  readonly nested: boolean;
  /** A JSON list of objects as a table: one statement for any number of rows. */
  rows(alias: string, json: RawBuilder<string>, columns: Readonly<Record<string, "text" | "bigint">>): RawBuilder<unknown>;
  /** Is `part` a substring, every character taken as text? */
  contains(text: Expression<string>, part: Expression<string>): RawBuilder<boolean>;
}

export const sqlite: SqlDialect = {
  name: "sqlite",
  idType: "text",
  forUpdate: (query) => query,
  skipLocked: (query) => query,
  skipLockedText: sql``,
  lockText: () => sql``,
  nested: false,
  rows: (alias, json, columns) =>
    sql`(select ${sql.join(Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`))} from json_each(${json})) as ${sql.id(alias)}`,
  contains: (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`,
};

export const postgres: SqlDialect = {
  name: "postgres",
  idType: 'text collate "C"',
  forUpdate: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  skipLockedText: sql`for update skip locked`,
  lockText: (alias) => sql`for update of ${sql.id(alias)}`,
  nested: true,
  rows: (alias, json, columns) =>
    sql`json_to_recordset(cast(${json} as json)) as ${sql.id(alias)}(${sql.join(
      Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`),
    )})`,
  contains: (text, part) => sql<boolean>`strpos(${text}, ${part}) > 0`,
};
