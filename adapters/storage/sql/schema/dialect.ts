import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Place } from "../engine/step.ts";

/** All that the databases disagree about; nothing else asks which one it is. */
export interface SqlDialect {
  readonly name: "sqlite" | "postgres";
  /** Column type of ids and names that are sorted: by bytes, whatever the database's collation. */
  readonly idType: string;
  /** Locks the rows that a later statement of the step depends on. */
  forUpdate<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** The same, without waiting for rows that another worker holds. */
  skipLocked<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** What follows a raw select whose rows are to be changed and which others may hold. */
  readonly skipLockedText: RawBuilder<unknown>;
  /** What follows a raw select that locks the rows of one alias. */
  lockText(alias: string): RawBuilder<unknown>;
  /** May a statement write within a select, and a joined select use the row before it? Else there are more statements, which cost little in one process. */
  readonly nested: boolean;
  /** Is a statement planned anew for each limit and offset, unless neither could change its plan? */
  readonly plansByNumbers: boolean;
  /** A JSON list of objects as a table: one statement for any number of rows. */
  rows(
    alias: string,
    json: RawBuilder<string>,
    columns: Readonly<Record<string, "text" | "bigint">>,
  ): RawBuilder<unknown>;
  /** A JSON list of numbers as a table of one column `value`. */
  elements(json: RawBuilder<unknown>): RawBuilder<unknown>;
  /** An aggregate: the column `value` with commas between. */
  readonly joined: RawBuilder<string>;
  /** Is `part` a substring, every character taken as text? */
  contains(text: Expression<string>, part: Expression<string>): RawBuilder<boolean>;
  /** What the search index is asked for a folded term; null when it is no help, for it knows nothing shorter than three letters. */
  indexTerm(term: string): string | null;
  /** Active products of `store_id` that the index finds for `term` (as asked) and that hold `search` (the term itself), as `id` and `position`: `limit` rows at most. Rows without an id count too. */
  indexHits(place: Place, limit: number): RawBuilder<unknown>;
  /** Epoch milliseconds by the database's clock. */
  readonly nowMs: string;
  /** A statement that holds the others back until the transaction ends; null where the transaction itself does. */
  readonly migrationLock: string | null;
  /** One row when the table is there whose quoted name is the one parameter. */
  readonly tableExists: string;
  /** The names that are taken in a schema, null for the one that tables are made in, among those of a JSON list. */
  readonly takenNames: string;
}

export const sqlite: SqlDialect = {
  name: "sqlite",
  idType: "text",
  forUpdate: (query) => query,
  skipLocked: (query) => query,
  skipLockedText: sql``,
  lockText: () => sql``,
  nested: false,
  plansByNumbers: false,
  rows: (alias, json, columns) =>
    sql`(select ${sql.join(Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`))} from json_each(${json})) as ${sql.id(alias)}`,
  elements: (json) => sql`json_each(${json})`,
  joined: sql`group_concat(value, ',')`,
  contains: (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`,
  indexTerm: (term) => ([...term].length < 3 ? null : `"${term.replaceAll('"', '""')}"`),
  indexHits: (place, limit) => sql`
    select p.id, p.position from (select rowid as number from ${sql.table("product_search")}(${place("term")}) limit ${sql.lit(limit)}) as f
    left join ${sql.table("product_texts")} as t on t.number = f.number and t.store_id = ${place("store_id")}
    left join ${sql.table("products")} as p on p.store_id = t.store_id and p.id = t.product_id and p.active = 1
      and (instr(p.name_folded, ${place("search")}) > 0 or instr(p.slug, ${place("search")}) > 0)`,
  nowMs: "cast(unixepoch('subsec') * 1000 as integer)",
  migrationLock: null,
  tableExists: `select 1 as found from sqlite_master where type = 'table' and '"' || name || '"' = ?`,
  takenNames:
    "select name from sqlite_master where ? is null and name in (select value from json_each(?)) order by name",
};

export const postgres: SqlDialect = {
  name: "postgres",
  idType: 'text collate "C"',
  forUpdate: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  skipLockedText: sql`for update skip locked`,
  lockText: (alias) => sql`for update of ${sql.id(alias)}`,
  nested: true,
  plansByNumbers: true,
  // Unlimited by a select, a list is taken for ten rows and not for a hundred: for those a table of ten thousand would rather be read as a whole.
  rows: (alias, json, columns) =>
    sql`(select * from json_to_recordset(cast(${json} as json)) as t(${sql.join(
      Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`),
    )}) limit (select cast(null as bigint))) as ${sql.id(alias)}`,
  elements: (json) => sql`json_array_elements_text(cast(${json} as json)) as e(value)`,
  joined: sql`string_agg(value, ',')`,
  contains: (text, part) => sql<boolean>`strpos(${text}, ${part}) > 0`,
  // Signs part words: what holds no three letters in a row has no trigram to look for.
  indexTerm: (term) =>
    /[\p{L}\p{N}]{3}/u.test(term) ? `%${term.replace(/[\\%_]/g, "\\$&")}%` : null,
  indexHits: (place, limit) => sql`
    select p.id, p.position from ${sql.table("products")} as p where p.store_id = ${place("store_id")} and p.active = 1
      and (p.name_folded like ${place("term")} or p.slug like ${place("term")}) limit ${sql.lit(limit)}`,
  nowMs: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
  migrationLock: "select pg_advisory_xact_lock(7381221)",
  tableExists: "select 1 as found where to_regclass($1) is not null",
  takenNames: `select c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = coalesce($1, current_schema()) and c.relname in (select json_array_elements_text($2::json)) order by 1`,
};
