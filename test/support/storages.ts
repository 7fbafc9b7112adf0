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

/** A schema of its own for each storage: tests of one file share a database and see nothing of each other. */
export async function openPostgres(options: PostgresOptions = {}, pooling: pg.PoolConfig = {}): Promise<Storage> {
  const schema = `t${process.pid}_${++schemas}_${Math.floor(performance.now())}`;
  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), max: 10, ...pooling });
  pool.on("error", () => {});
  cleanups.push(async () => {
    await pool.end();
    const admin = new pg.Client(inject("postgresUrl"));
    await admin.connect();
    await admin.query(`drop schema if exists "${schema}" cascade`);
    await admin.end();
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
