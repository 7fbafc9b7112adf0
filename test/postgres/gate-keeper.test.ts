import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

const databaseUrl = await postgresUrl();
const admin = new pg.Pool({ connectionString: databaseUrl, max: 2 });
const pools: pg.Pool[] = [];
const schemas: string[] = [];
let schema = "";

beforeEach(() => {
  schema = `gate_${process.pid}_${schemas.length}`;
  schemas.push(schema);
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  for (const name of schemas) await admin.query(`drop schema if exists "${name}" cascade`);
  await admin.end();
});

function poolOf(config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, ...config });
  pool.on("error", () => {});
  pools.push(pool);
  return pool;
}

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

let databases = 0;

/** Runs the work on a database of its own. */
async function inDatabase(made: string, work: (url: string) => Promise<void>): Promise<void> {
  const name = `gate_${process.pid}_database_${databases++}`;
  await admin.query(`create database ${name} ${made} locale 'C' template template0`);
  const url = new URL(databaseUrl);
  url.pathname = name;
  try {
    await work(url.href);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
  }
}

const tablesOf = async (name: string): Promise<number> => {
  const { rows } = await admin.query(
    "select count(*)::int as tables from pg_tables where schemaname = $1",
    [name],
  );
  return rows[0].tables;
};

describe("migrate() on PostgreSQL", () => {
  test.each(["LATIN1", "SQL_ASCII"])("refuses a database in %s", async (encoding) => {
    await inDatabase(`encoding '${encoding}'`, async (connectionString) => {
      const pool = poolOf({ connectionString, max: 1 });
      await expect(postgresStorage(pool).migrate()).rejects.toMatchObject({
        code: "invalid_option",
        param: "storage",
        message: expect.stringContaining(`encoding is ${encoding}`),
      });
      const { rows } = await pool.query("select * from pg_tables where schemaname = 'public'");
      expect(rows).toEqual([]);
    });
  });

  test("finds tables in its own schema only, not in one that the search path names later", async () => {
    const [first, second] = [`${schema}_b`, `${schema}_a`];
    schemas.push(first, second);
    await admin.query(`create schema "${first}"; create schema "${second}"`);
    const options = (path: string) => ({ options: `-c search_path=${path}` });

    await postgresStorage(poolOf(options(second))).migrate();
    const storage = postgresStorage(poolOf(options(`${first},${second}`)));
    await storage.migrate();

    expect(await tablesOf(first)).toBe(await tablesOf(second));
    await createShop(storage);
    const { rows } = await admin.query(`select count(*)::int as stores from "${second}".stores`);
    expect(rows).toEqual([{ stores: 0 }]);
  });

  test("refuses a search path that names no schema", async () => {
    const storage = postgresStorage(poolOf({ options: "-c search_path=gate_nowhere" }));
    await expect(storage.migrate()).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("search_path"),
    });
  });

  test("waits for another process's migration, whatever time-outs the host's pool has", async () => {
    const other = await admin.connect();
    await other.query("begin; select pg_advisory_xact_lock(7381221)");
    const impatient = {
      statement_timeout: 200,
      lock_timeout: 200,
      query_timeout: 400,
      idle_in_transaction_session_timeout: 200,
    };
    let isDone = false;
    const migrating = postgresStorage(poolOf(impatient), { schema })
      .migrate()
      .finally(() => {
        isDone = true;
      });
    migrating.catch(() => {}); // it is awaited below

    await later(1_200);
    expect(isDone).toBe(false);
    await other.query("commit");
    other.release();
    await migrating;
    expect(await tablesOf(schema)).toBeGreaterThan(20);
  });

  test("a statement of its own may take longer than the pool's statement_timeout", async () => {
    await inDatabase("encoding 'UTF8'", async (connectionString) => {
      const slow = poolOf({ connectionString, max: 1 });
      // One table that is created takes as long as a large index would.
      await slow.query(`create function slow() returns event_trigger language plpgsql as
          $$ begin
            if exists (select from pg_event_trigger_ddl_commands()
              where object_identity like '%.deliveries')
            then perform pg_sleep(1); end if;
          end $$;
        create event trigger slow on ddl_command_end when tag in ('CREATE TABLE')
          execute function slow()`);
      await postgresStorage(poolOf({ connectionString, statement_timeout: 400 })).migrate();
    });
  });

  test("a wait for a table's lock ends after 200 ms, so that no traffic queues behind it, and is tried again", {
    timeout: 60_000,
  }, async () => {
    await postgresStorage(poolOf(), { schema }).migrate();
    // As an older version left it: a migration which alters this index is still to run.
    await admin.query(`delete from "${schema}".migrations where id = 3`);
    const busy = await admin.connect();
    await busy.query(`begin; alter index "${schema}".deliveries_due set (fillfactor = 90)`);

    const migrating = postgresStorage(poolOf({ max: 1 }), { schema }).migrate();
    const waits = new Set<string>();
    try {
      await expect.poll(() => readLockWaits(waits), { timeout: 20_000, interval: 50 }).toBe(2);
    } finally {
      await busy.query("rollback");
      busy.release();
    }
    await migrating;

    const { rows } = await admin.query(`select id from "${schema}".migrations where id = 3`);
    expect(rows).toEqual([{ id: 3 }]);
  });
});

/** Collects when each wait for the index began. */
async function readLockWaits(waits: Set<string>): Promise<number> {
  const { rows } = await admin.query(
    `select waitstart::text from pg_locks
      where not granted and relation = '"${schema}".deliveries_due'::regclass`,
  );
  for (const { waitstart } of rows) if (waitstart) waits.add(waitstart);
  return waits.size;
}

describe("a host's default_transaction_isolation", () => {
  const serializable = { options: "-c default_transaction_isolation=serializable" };

  test("makes no single statement fail: forty concurrent hits of one bucket are all counted", async () => {
    const storage = postgresStorage(poolOf({ ...serializable, max: 10 }), { schema });
    await storage.migrate();
    const hits = Array.from({ length: 40 }, (_, index) =>
      storage.limits.hit({ bucket: "one", limit: 30, window_ms: 60_000 }, 1_000 + index),
    );
    const allowed = (await Promise.all(hits)).filter((hit) => hit.allowed);
    expect(allowed).toHaveLength(30);
  });

  test.each([
    ["read committed", 1, 0],
    ["serializable", 1, 3],
  ])(
    "%s: the connection is asked %i time, and three reads begin %i transactions",
    async (level, asked, begun) => {
      const pool = poolOf({
        max: 1,
        options: `-c default_transaction_isolation=${level.replace(" ", "\\ ")}`,
      });
      const storage = postgresStorage(pool, { schema });
      await storage.migrate();

      const texts: string[] = [];
      const client = await pool.connect();
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      Object.assign(client, {
        query: (...values: readonly { readonly text?: string }[]) => {
          texts.push(values[0]?.text ?? "");
          return query(...values);
        },
      });
      client.release();
      for (let read = 0; read < 3; read += 1) await storage.access.findStore("str_none");

      const count = (part: string): number => texts.filter((text) => text.includes(part)).length;
      expect([count("default_transaction_isolation"), count("begin")]).toEqual([asked, begun]);
    },
  );
});
