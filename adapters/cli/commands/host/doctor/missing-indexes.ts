import type { SqlMigration } from "../../../../storage/postgres.ts";
import type { Finding, Pool } from "./check.ts";

const instances = `select left(b.relname, -length('rate_buckets')) as prefix,
    quote_ident(n.nspname) || '.' || quote_ident(m.relname) as list
  from pg_class as b join pg_namespace as n on n.oid = b.relnamespace
    join pg_class as m on m.relnamespace = n.oid
      and m.relname = left(b.relname, -length('rate_buckets')) || 'migrations'
  where n.nspname = coalesce($1, current_schema())
    and b.relname ~ '^[a-z_]{0,30}rate_buckets$' and to_regclass('pg_dist_partition') is null`;

/** Finds the indexes that the migrations have made and that are gone, for each table prefix. */
export async function findMissingIndexes(
  pool: Pool,
  schema: string | undefined,
): Promise<readonly Finding[]> {
  const { postgresMigrations } = await import("vitrine/postgres");
  const findings: Finding[] = [];
  for (const { prefix, list } of (await pool.query(instances, [schema ?? null])).rows) {
    const migrations = postgresMigrations({ schema, tablePrefix: String(prefix) });
    // An index that a migration has still to make is not missing. Another check tells of that.
    const { rows } = await pool.query(`select max(id) as id from ${list}`);
    if (rows[0]?.["id"] !== migrations.at(-1)?.id) continue;

    const made = indexesOf(migrations);
    const missing = await pool.query(
      `select name from json_array_elements_text($2::json) as name where not exists (
        select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = coalesce($1, current_schema()) and c.relname = name)`,
      [schema ?? null, JSON.stringify([...made.keys()])],
    );
    for (const { name } of missing.rows)
      findings.push({
        fault: `The index ${name} is missing: whole tables are read in its place.`,
        mend: `Run: create ${made.get(String(name))};`,
      });
  }
  return findings;
}

/** Gives the statement of each index, without its `create`, by the last name of the index. */
function indexesOf(migrations: readonly SqlMigration[]): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const { sql } of migrations.flatMap(({ steps }) => steps)) {
    const text = sql.replace(/\s+/g, " ");
    const [, unique = "", name = "", rest] =
      /^create (unique )?index (?:concurrently if not exists )?"(\w+)"(.*)$/.exec(text) ?? [];
    // The index of texts is made only where the extension pg_trgm is.
    if (rest !== undefined && !rest.includes("gin_trgm_ops"))
      made.set(name, `${unique}index concurrently if not exists "${name}"${rest}`);

    const [, before = "", after] =
      /^alter index \S*?"(\w+)" rename to "(\w+)"/.exec(text) ??
      /^drop index .*"(\w+)"$/.exec(text) ??
      [];
    const statement = made.get(before);
    made.delete(before);
    if (statement && after) made.set(after, statement.replace(`"${before}"`, `"${after}"`));
  }
  return made;
}
