import type pg from "pg";

// What PostgreSQL knows of its tables decides its plans, so a test of plans decides what it knows.

/**
 * Makes a schema's statistics change only where the test says so, and gives the schema's tables
 * for `analyze`. Without a list that command takes the tables of the tests that run beside, and
 * one that is being filled has no rows for the planner afterwards.
 */
export async function keepStatistics(
  client: pg.Pool | pg.PoolClient,
  schema: string,
): Promise<string> {
  const { rows } = await client.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1",
    [schema],
  );
  for (const { name } of rows)
    await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  return rows.map(({ name }) => name).join(", ");
}
