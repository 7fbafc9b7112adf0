import pg from "pg";
import { inject } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { type PostgresOptions, postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { afterEveryTest } from "./after-test.ts";
import { openSqliteCopy } from "./open-sqlite.ts";
import { postgresSocketUrl } from "./postgres-url.ts";

const cleanups: (() => Promise<void>)[] = [];

afterEveryTest(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

let schemas = 0;

/** Emptied schemas of tests that have ended. Emptying one takes a thirtieth of making a new one. */
const freeSchemas: string[] = [];
let shared: pg.Pool | undefined;

async function empty(schema: string): Promise<void> {
  shared ??= await openPool({ max: 1, allowExitOnIdle: true });

  const tables = `select format('%I.%I', schemaname, tablename) from pg_tables
    where schemaname = '${schema}' and tablename <> 'migrations'`;
  await shared.query(`do $$ declare name text; begin
    set local lock_timeout = '5s';
    for name in ${tables} loop execute 'delete from ' || name; end loop;
  end $$`);
}

async function openPool(config: pg.PoolConfig): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await postgresSocketUrl(), max: 10, ...config });
  pool.on("error", () => {});
  return pool;
}

/** Takes an emptied schema, or names a new one that is still to be migrated. */
function takeSchema(): { readonly schema: string; readonly isNew: boolean } {
  const reused = freeSchemas.pop();
  if (reused) return { schema: reused, isNew: false };
  return { schema: `${inject("schemaPrefix")}${process.pid}_${++schemas}`, isNew: true };
}

/** Opens a storage on a pool of its own, whose settings the test chooses. */
export async function openPostgresOn(
  pooling: pg.PoolConfig,
  options: PostgresOptions = {},
): Promise<{ readonly storage: Storage; readonly pool: pg.Pool; readonly schema: string }> {
  const { schema, isNew } = takeSchema();
  const pool = await openPool(pooling);
  cleanups.push(async () => {
    await pool.end();
    await empty(schema);
    freeSchemas.push(schema);
  });

  const storage = postgresStorage(pool, { schema, ...options });
  if (isNew) await storage.migrate();
  return { storage, pool, schema };
}

/** Pools of tests that have ended. A new connection costs more than most tests' statements. */
const freePools: pg.Pool[] = [];

/** Opens each storage in a schema of its own, so that tests share a database but no rows. */
export async function openPostgres(): Promise<Storage> {
  const { schema, isNew } = takeSchema();
  const pool = freePools.pop() ?? (await openPool({ allowExitOnIdle: true }));
  const lent = lendPool(pool);
  cleanups.push(async () => {
    await lent.takeBack();
    await empty(schema);
    freeSchemas.push(schema);
    freePools.push(pool);
  });

  const storage = postgresStorage(lent, { schema });
  if (isNew) await storage.migrate();
  return storage;
}

/** Lends a pool to one test. Work that goes on after the test gets no connection any more. */
function lendPool(pool: pg.Pool) {
  type Connect = Parameters<typeof postgresStorage>[0]["connect"];
  let isOver = false;

  const connect: Connect = (callback) =>
    isOver ? callback(new Error("The test has ended."), undefined) : pool.connect(callback);
  const takeBack = async (): Promise<void> => {
    isOver = true;
    while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount)
      await new Promise((done) => setTimeout(done, 1));
  };
  return { connect, takeBack };
}

/** Every storage that the suites run on. Each call of `open` gives a fresh one. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["memory", async () => memoryStorage()],
  [
    "sqlite",
    async () => {
      const database = await openSqliteCopy();
      cleanups.push(async () => void database.close());
      return sqliteStorage(database);
    },
  ],
  ["postgres", () => openPostgres()],
];
