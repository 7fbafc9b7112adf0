import pg from "pg";
import { afterAll } from "vitest";
import type { Storage } from "vitrine";
import { type PostgresOptions, postgresStorage } from "vitrine/postgres";
import { afterEveryTest } from "../support/after-test.ts";
import { connectionString } from "./postgres-url.ts";

/** Other counts than the default show what a count decides: most tests have two shards a node. */
const shards = Number(process.env["TEST_CITUS_SHARDS"] ?? 4);

const cleanups: (() => Promise<void>)[] = [];
afterEveryTest(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

afterAll(dropSchemas, 120_000);

/** Emptied schemas of tests that have ended: distributing the tables takes seconds. */
const freeSchemas: string[] = [];
const schemas: string[] = [];

/** The name of a schema that is dropped at the end of the file. */
export function newSchema(): string {
  const name = `vitrine_citus_${process.pid}_${Date.now()}_${schemas.length}`;
  schemas.push(name);
  return name;
}

/** The suites run on this list when it stands for that of `test/support/storages.ts`. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["citus", () => openCitus()],
];

/** Opens a storage in a schema of its own on the cluster. */
export async function openCitus(options: PostgresOptions = {}): Promise<Storage> {
  return (await openCitusOn(options)).storage;
}

export async function openCitusOn(
  options: PostgresOptions = {},
  pooling: pg.PoolConfig = {},
): Promise<{ readonly storage: Storage; readonly pool: pg.Pool; readonly schema: string }> {
  const emptied = freeSchemas.pop();
  const schema = emptied ?? newSchema();
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    options: `-c citus.shard_count=${shards}`,
    ...pooling,
  });
  pool.on("error", () => {});
  cleanups.push(async () => {
    await empty(pool, schema);
    await pool.end();
    freeSchemas.push(schema);
  });

  // Fifty writers of one row wait for ten connections longer than a shop would let them, and three
  // servers share two cores with four test files.
  const acquireTimeoutMs = 60_000;
  const callTimeoutMs = 60_000;
  const storage = postgresStorage(pool, {
    schema,
    distribute: "citus",
    acquireTimeoutMs,
    callTimeoutMs,
    ...options,
  });
  if (emptied === undefined) await storage.migrate();
  return { storage, pool, schema };
}

/**
 * Deletes the rows in one transaction, which commits once on each node. What a test left at work
 * may hold rows that this one wants, so a deadlock is tried again.
 */
async function empty(pool: pg.Pool, schema: string): Promise<void> {
  const { rows } = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = $1 and tablename <> 'migrations'`,
    [schema],
  );
  const deletions = rows.map(({ name }) => `delete from ${name}`);

  for (let triesLeft = 5; ; triesLeft--) {
    const client = await pool.connect();
    try {
      await client.query(["begin", ...deletions, "commit"].join(";"));
      return;
    } catch (error) {
      await client.query("rollback");
      if ((error as { code?: string }).code !== "40P01" || triesLeft === 1) throw error;
    } finally {
      client.release();
    }
  }
}

/** One at a time: to drop a schema takes a lock for each shard, and a server has few. */
async function dropSchemas(): Promise<void> {
  // The next file of this process must not be given one of them.
  freeSchemas.splice(0);
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const schema of schemas.splice(0))
    await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}
