import { sql } from "kysely";
import { jsonFieldsOf, namedColumns, type SqlDialect } from "./dialect.ts";

const limitUnless: SqlDialect["limitUnless"] = (limit, unless) =>
  unless ? sql`case when ${unless} then 0 else ${sql.lit(limit)} end` : sql.lit(limit);

export const sqlite: SqlDialect = {
  name: "sqlite",
  database: "sqlite",
  idType: "text",

  // A write transaction locks the whole database.
  forUpdate: (query) => query,
  forNoKeyUpdate: (query) => query,
  forKeyShare: (query) => query,
  skipLocked: (query) => query,
  skipLockedText: sql``,
  lockText: () => sql``,

  jsonTable(alias, json, columns) {
    const selected = Object.keys(columns).map(
      (name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`,
    );
    return sql`(select ${sql.join(selected)} from json_each(${json})) as ${sql.id(alias)}`;
  },
  jsonValues: (json) => sql`json_each(${json})`,
  jsonFields: (_alias, json) => ({
    from: sql``,
    field: (name) => sql`json_extract(${json}, ${sql.lit(`$.${name}`)})`,
  }),
  jsonList: (columns) => sql`json_group_array(json_object(${jsonFieldsOf(columns)}))`,
  joinedValues: sql`group_concat(value, ',')`,

  lookUp: (store_id, value, key = "id") => ({
    rows: sql.table("products"),
    on: sql`p.store_id = ${store_id} and ${sql.ref(`p.${key}`)} = ${value}`,
  }),

  // A sign before a column keeps SQLite from using an index of it.
  withoutIndex: (column) => sql`+${sql.ref(column)}`,
  contains: (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`,
  bytes: (text) => sql<number>`length(cast(${text} as blob))`,
  searchTerms(words) {
    const known = words.filter((word) => [...word].length >= 3);
    const quoted = known.map((word) => `"${word.replaceAll('"', '""')}"`);
    return quoted.length === 0 ? [] : [quoted.join(" AND ")];
  },
  limitUnless,
  termsAreExact: false,
  // As a condition, `unless` would be looked at for every row of the index.
  searchHits: ({ store_id, terms, found, columns, drafts, limit, unless }) => sql`
    select p.id${namedColumns(columns)}
    from (
      select rowid as number from ${sql.table("product_search")}(${sql.join(terms)})
      limit ${limitUnless(limit, unless)}
    ) as f
    left join ${sql.table("product_texts")} as t
      on t.number = f.number and t.store_id = ${store_id}
    left join ${sql.table("products")} as p
      on p.store_id = t.store_id and p.id = t.product_id
      ${drafts ? sql`` : sql`and p.active = 1`}
      and ${found}`,

  nowMs: "cast(unixepoch('subsec') * 1000 as integer)",
  needDisk: [],
  tableExists: `select 1 as found from sqlite_master
    where ? is null and type = 'table' and name = ?`,
  takenNames: `select name from sqlite_master
    where ? is null and name in (select value from json_each(?)) order by name`,
};
