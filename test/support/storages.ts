import pg from "pg";
import { inject } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { type PostgresOptions, postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { afterEveryTest } from "./after-test.ts";
import { postgresUrl } from "./postgres-url.ts";

const cleanups: (() => Promise<void>)[] = [];

afterEveryTest(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

let schemas = 0;

/** Emptied schemas of tests that have ended. Emptying one takes a thirtieth of making a new one. */
const freeSchemas: string[] = [];
let shared: pg.Pool | undefined;

async function empty(schema: string): Promise<void> {
  shared ??= new pg.Pool({
    connectionString: await postgresUrl(),
    max: 1,
    allowExitOnIdle: true,
  });

  const tables = `select format('%I.%I', schemaname, tablename) from pg_tables
    where schemaname = '${schema}' and tablename <> 'migrations'`;
  await shared.query(`do $$ declare name text; begin
    set local lock_timeout = '5s';
    for name in ${tables} loop execute 'delete from ' || name; end loop;
  end $$`);
}

/** Opens each storage in a schema of its own, so that tests share a database but no rows. */
export async function openPostgres(
  options: PostgresOptions = {},
  pooling: pg.PoolConfig = {},
): Promise<Storage> {
  return (await openPostgresOn(pooling, options)).storage;
}

/** The same for a test that uses the storage's pool too, as a host does. */
export async function openPostgresOn(
  pooling: pg.PoolConfig,
  options: PostgresOptions = {},
): Promise<{ readonly storage: Storage; readonly pool: pg.Pool; readonly schema: string }> {
  const reused = freeSchemas.pop();
  const schema = reused ?? `${inject("schemaPrefix")}${process.pid}_${++schemas}`;
  const pool = new pg.Pool({ connectionString: await postgresUrl(), max: 10, ...pooling });
  pool.on("error", () => {});
  cleanups.push(async () => {
    await pool.end();
    await empty(schema);
    freeSchemas.push(schema);
  });
  const storage = postgresStorage(pool, { schema, ...options });
  if (!reused) await storage.migrate();
  return { storage, pool, schema };
}

/** Every storage that the suites run on. Each call of `open` gives a fresh one. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["memory", async () => memoryStorage()],
  [
    "sqlite",
    async () => {
      const storage = sqliteStorage(":memory:");
      await storage.migrate();
      return storage;
    },
  ],
  ["postgres", () => openPostgres()],
];
