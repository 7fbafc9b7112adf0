import { sql } from "kysely";
import { type JsonColumns, jsonFieldsOf, namedColumns, type SqlDialect } from "./dialect.ts";

const typed = (columns: JsonColumns) =>
  sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`));

export const postgres: SqlDialect = {
  name: "postgres",
  database: "postgres",
  idType: 'text collate "C"',

  forUpdate: (query) => query.forUpdate(),
  forNoKeyUpdate: (query) => query.forNoKeyUpdate(),
  forKeyShare: (query) => query.forKeyShare(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
  skipLockedText: sql`for update skip locked`,
  lockText: (alias) => sql`for update of ${sql.id(alias)}`,

  // `limit null` leaves no row out, but makes the planner expect ten rows. Without it, the planner
  // expects a hundred, and scans a whole table of ten thousand rows in place of its index.
  jsonTable(alias, json, columns) {
    return sql`(
      select * from json_to_recordset(cast(${json} as json)) as t(${typed(columns)})
      limit (select cast(null as bigint))
    ) as ${sql.id(alias)}`;
  },
  jsonValues: (json) => sql`json_array_elements_text(cast(${json} as json)) as e(value)`,
  jsonFields: (alias, json, columns) => ({
    from: sql`cross join lateral json_to_record(cast(${json} as json))
        as ${sql.id(alias)}(${typed(columns)})`,
    field: (name) => sql.ref(`${alias}.${name}`),
  }),
  jsonList: (columns) => sql`cast(json_agg(json_build_object(${jsonFieldsOf(columns)})) as text)`,
  joinedValues: sql`string_agg(value, ',')`,

  // With an equality, the order would say nothing, and the planner would leave it out.
  lookUp(store_id, value, key = "id") {
    const column = sql.ref(`p.${key}`);
    return {
      rows: sql`lateral (
      select * from ${sql.table("products")} as p
      where p.store_id = ${store_id} and ${column} between ${value} and ${value}
      order by ${column} limit 1)`,
      on: sql`true`,
    };
  },

  withoutIndex: (column) => sql.ref(column),
  contains: (text, part) => sql<boolean>`strpos(${text}, ${part}) > 0`,
  bytes: (text) => sql<number>`octet_length(${text})`,
  // Signs separate words, and a trigram lies within one word: a text without three letters or
  // digits in a row has no trigram to look for. The longest words have the fewest hits.
  searchTerms: (words) =>
    words
      .filter((word) => /[\p{L}\p{N}]{3}/u.test(word))
      .sort((one, other) => other.length - one.length)
      .slice(0, 2)
      .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`),
  limitUnless: (limit) => sql.lit(limit),
  termsAreExact: true,
  searchHits({ store_id, terms, found, columns, drafts, limit, unless }) {
    const like = terms.map((term) => sql`(p.name_folded like ${term} or p.slug like ${term})`);
    return sql`
    select p.id${namedColumns(columns)} from ${sql.table("products")} as p
    where p.store_id = ${store_id} ${drafts ? sql`` : sql`and p.active = 1`}
      and ${sql.join([...like, found], sql` and `)} ${unless ? sql`and not ${unless}` : sql``}
    limit ${sql.lit(limit)}`;
  },

  nowMs: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
  // A sort with too little memory writes a temporary file. A row would find room in the pages
  // that deleted rows have left, and be written on a full disk.
  needDisk: [
    "select set_config('work_mem', '64kB', true)",
    `select max(place) from (select row_number() over (order by md5(n::text)) as place
      from generate_series(1, 4000) as n) as sorted`,
  ],
  tableExists: `select 1 as found
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = coalesce($1, current_schema()) and c.relname = $2`,
  takenNames: `select c.relname as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = coalesce($1, current_schema())
      and c.relname in (select json_array_elements_text($2::json))
    order by 1`,
};
