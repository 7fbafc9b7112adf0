import pg from "pg";
import { inject } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { type PostgresOptions, postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";

const cleanups: (() => Promise<void>)[] = [];
/** After each test, by each-test.ts. */
export async function closeStorages(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

let schemas = 0;
/** Emptied ones of tests that have ended: to make one takes thirty times as long as to empty it. */
const free: string[] = [];
let shared: pg.Pool | undefined;

async function empty(schema: string): Promise<void> {
  shared ??= new pg.Pool({
    connectionString: inject("postgresUrl"),
    max: 1,
    allowExitOnIdle: true,
  });
  const tables = `select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = '${schema}' and tablename <> 'migrations'`;
  await shared.query(`do $$ declare name text; begin
    set local lock_timeout = '5s';
    for name in ${tables} loop execute 'delete from ' || name; end loop;
  end $$`);
}

/** A schema of its own for each storage: tests of one file share a database and see nothing of each other. */
export async function openPostgres(
  options: PostgresOptions = {},
  pooling: pg.PoolConfig = {},
): Promise<Storage> {
  const schema = free.pop() ?? `${inject("schemaPrefix")}${process.pid}_${++schemas}`;
  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), max: 10, ...pooling });
  pool.on("error", () => {});
  cleanups.push(async () => {
    await pool.end();
    await empty(schema);
    free.push(schema);
  });
  const storage = postgresStorage(pool, { schema, ...options });
  await storage.migrate();
  return storage;
}

/** Every storage that the suites run on; each call gives a fresh one. */
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
