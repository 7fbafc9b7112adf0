import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createStorefront } from "vitrine";
import { postgresMigrations, postgresStorage } from "vitrine/postgres";
import { measuredClock } from "../../adapters/storage/sql/engine/clock.ts";
import { postgresEngine } from "../../adapters/storage/sql/engine/postgres/postgres-engine.ts";
import { migratePostgres } from "../../adapters/storage/sql/migrate/migrate.postgres.ts";
import { postgres } from "../../adapters/storage/sql/schema/dialect.postgres.ts";
import { folder } from "../support/dump-schema.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

/** `MIGRATE_ORDERS=50000` is the long form. */
const orders = Number(process.env["MIGRATE_ORDERS"] ?? 4_000);
const databaseUrl = await postgresUrl();
const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
const names: string[] = [];
const pools: pg.Pool[] = [];
let pool = new pg.Pool();

/** Opens a database as version 0.1.0 left it, with its one order copied many times. */
beforeEach(async () => {
  const name = `migrate_live_${process.pid}_${names.length}`;
  await admin.query(`create database ${name}`);
  names.push(name);
  const url = new URL(databaseUrl);
  url.pathname = name;
  pool = new pg.Pool({ connectionString: url.href, max: 12 });
  pool.on("error", () => {});
  pools.push(pool);
  await pool.query(readFileSync(join(folder, "0.1.0.postgres.sql"), "utf8"));
});

afterAll(async () => {
  for (const one of pools) await one.end();
  for (const name of names) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

/** Copies a sale: `$1` and `$2` are the first and last number. */
const copies = {
  orders: `insert into orders select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object(
      'id', 'ord_' || n, 'number', 1000 + n, 'session_id', 'cs_' || n))).*
    from generate_series($1::int, $2::int) as n, (select * from orders limit 1) as o`,
  attempts: `insert into payment_attempts select (jsonb_populate_record(null::payment_attempts, to_jsonb(a) || jsonb_build_object(
      'id', 'pa_' || n, 'order_id', 'ord_' || n, 'session_id', 'cs_' || n,
      'reference', 'ref_' || n))).*
    from generate_series($1::int, $2::int) as n, (select * from payment_attempts limit 1) as a`,
  deliveries: `insert into deliveries select (jsonb_populate_record(null::deliveries, to_jsonb(d) || jsonb_build_object(
      'event_id', 'evt_' || n || '_' || k))).*
    from generate_series($1::int, $2::int) as n, generate_series(1, 3) as k,
      (select * from deliveries limit 1) as d`,
};

/** Buys once by the statements of version 0.1.0, which holds stock row by row, in one order. */
async function buyOnce(client: pg.PoolClient, number: number): Promise<void> {
  await client.query("begin");
  await client.query("select 1 from stock order by store_id, livemode, product_id for update");
  await client.query("update stock set held = held + 1");
  for (const statement of Object.values(copies)) await client.query(statement, [number, number]);
  await client.query("commit");
}

/** Buys until it is told to stop; gives how often. */
async function buyUntil(signal: AbortSignal, first: number): Promise<number> {
  let number = first;
  for (; !signal.aborted; number += 1) {
    const client = await pool.connect();
    // A connection whose purchase failed is ended, and its transaction with it.
    await buyOnce(client, number).then(
      () => client.release(),
      (error) => {
        client.release(true);
        throw error;
      },
    );
  }
  return number - first;
}

/** Reads and then idles in its transaction, again and again. */
async function readIdly(signal: AbortSignal): Promise<void> {
  const client = await pool.connect();
  while (!signal.aborted) {
    await client.query("begin; select 1 from orders limit 1; select 1 from deliveries limit 1");
    await client.query("select pg_sleep(0.7)");
    await client.query("commit");
  }
  client.release();
}

/** The tables that a transaction keeps readers out of, and the rows that it has read of any. */
const heldAndRead = `select
  (select coalesce(array_agg(distinct c.relname::text), '{}')
    from pg_locks as l join pg_class as c on c.oid = l.relation
    where l.pid = pg_backend_pid() and l.mode = 'AccessExclusiveLock' and l.granted
      and c.relname in (select relname from pg_stat_user_tables where n_live_tup > 0)) as held,
  (select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int
    from pg_stat_xact_user_tables) as read`;

const appliedTo = async (): Promise<readonly number[]> =>
  (await pool.query("select id from migrations order by id")).rows.map(({ id }) => id);

describe("migrate() on a database that sells", () => {
  test(`lets every purchase and every reader through, with ${orders} orders`, {
    timeout: 600_000,
  }, async () => {
    for (const statement of Object.values(copies)) await pool.query(statement, [1, orders]);
    const stop = new AbortController();
    const atWork = Promise.allSettled([
      ...[1, 2].map((n) => buyUntil(stop.signal, 1_000_000 * n)),
      readIdly(stop.signal),
    ]);

    try {
      await Promise.all([postgresStorage(pool).migrate(), postgresStorage(pool).migrate()]);
    } finally {
      stop.abort();
    }
    const [first, second] = (await atWork).map((ended) =>
      ended.status === "fulfilled" ? ended.value : expect.unreachable(String(ended.reason)),
    );
    expect(Math.min(Number(first), Number(second))).toBeGreaterThan(0);

    const { rows } = await pool.query(`select
      (select count(*)::int from payments where id ~ '^pa_[0-9]{1,6}$') as booked,
      (select count(*)::int from pg_index where not indisvalid) as invalid,
      (select count(*)::int from migration_steps) as left`);
    expect(rows).toEqual([{ booked: orders, invalid: 0, left: 0 }]);
  });

  test("reads no table while it keeps readers out of one", async () => {
    for (const statement of Object.values(copies)) await pool.query(statement, [1, 100]);
    await pool.query("analyze");
    const before = await appliedTo();
    const steps = postgresMigrations()
      .filter(({ id }) => !before.includes(id))
      .flatMap((migration) => migration.steps);
    const client = await pool.connect();

    const told = [];
    for (const { sql, in_transaction } of steps) {
      if (!in_transaction) {
        await client.query(sql);
        continue;
      }

      await client.query("begin");
      const start = (await client.query(heldAndRead)).rows[0];
      await client.query(sql);
      const end = (await client.query(heldAndRead)).rows[0];
      await client.query("commit");
      if (end.held.length > 0) told.push({ sql, held: end.held, read: end.read - start.read });
    }
    client.release();
    expect(told.flatMap(({ held }) => held)).toContain("orders");
    expect(told.filter(({ read }) => read >= 100)).toEqual([]);
  });

  test("names the statement, the table and the session in the way, and keeps what is done", async () => {
    const reader = await pool.connect();
    await reader.query("set application_name = 'forgotten report'; begin; select 1 from orders");
    const clock = measuredClock();
    const engine = postgresEngine(pool, {
      ...{ dialect: postgres, naming: { schema: null, prefix: "" }, clock },
      ...{ preparedStatements: false, acquireTimeoutMs: 5_000, callTimeoutMs: null },
    });
    const waits = { lockMs: 50, pauseMs: 20, patienceMs: 500, oldTransactionSeconds: 60 };
    const migrating = migratePostgres(engine, { schema: null, prefix: "" }, waits);
    await expect(migrating).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringMatching(/lock of "orders" for: .*"forgotten report".*terminate/s),
    });
    const before = await appliedTo();
    expect(before).toContain(4);

    // The same transaction, once it is old, is refused before the first lock.
    const looked = migratePostgres(
      engine,
      { schema: null, prefix: "" },
      {
        ...waits,
        oldTransactionSeconds: 0,
      },
    );
    await expect(looked).rejects.toThrow('"forgotten report"');
    await reader.query("rollback");
    reader.release();
    await postgresStorage(pool).migrate();
    expect((await appliedTo()).length).toBeGreaterThan(before.length);
  });

  test("names an idle reader of other tables, which an index would wait for, in the dry run too", async () => {
    const reader = await pool.connect();
    await reader.query("set application_name = 'idle export'");
    await reader.query("begin isolation level repeatable read; select 1 from coupons");
    const before = await appliedTo();
    const pid = (await reader.query("select pg_backend_pid() as pid")).rows[0].pid;

    const plan = (await postgresStorage(pool).planMigration?.()) ?? [];
    const built = plan.find(({ runs }) => runs === "concurrently");
    expect(built?.blockers).toEqual([
      {
        pid,
        application_name: "idle export",
        state: "idle in transaction",
        seconds: expect.any(Number),
      },
    ]);

    const naming = { schema: null, prefix: "" };
    const engine = postgresEngine(pool, {
      ...{ dialect: postgres, naming, clock: measuredClock() },
      ...{ preparedStatements: false, acquireTimeoutMs: 5_000, callTimeoutMs: null },
    });
    const waits = { lockMs: 50, pauseMs: 20, patienceMs: 500, oldTransactionSeconds: 0 };
    const sentence = new RegExp(
      `held by process ${pid} \\(application_name "idle export", idle in transaction,` +
        ` its transaction began \\d+ s ago\\).*pg_terminate_backend\\(${pid}\\)`,
      "s",
    );
    await expect(migratePostgres(engine, naming, waits)).rejects.toThrow(sentence);
    expect(await appliedTo(), "nothing was begun").toEqual(before);
    await reader.query("rollback");
    reader.release();
  });

  test("rebuilds an index that a killed build left invalid, and goes on where it stopped", async () => {
    await pool.query("create index payments_new on payment_attempts (reference, gateway)");
    await pool.query("alter index payments_new rename to payment_attempts_new_by_reference");
    await pool.query(`update pg_index set indisvalid = false
      where indexrelid = 'payment_attempts_new_by_reference'::regclass`);
    await postgresStorage(pool).migrate();
    const { rows } = await pool.query(`select indisvalid from pg_index
      where indexrelid = 'payment_attempts_by_reference'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);

    await pool.query("delete from migrations where id = 12");
    await pool.query("drop index webhook_endpoints_disabled");
    await postgresStorage(pool).migrate();
    expect(await appliedTo()).toContain(12);
    const built = await pool.query("select to_regclass('webhook_endpoints_disabled') as name");
    expect(built.rows).toEqual([{ name: "webhook_endpoints_disabled" }]);
  });

  test("a dry run changes nothing and tells the same plan as the exported steps, which do it", async () => {
    const storage = postgresStorage(pool);
    const storefront = createStorefront({
      storage,
      publicUrl: "https://api.example.com",
      checkout: { baseUrl: "https://pay.example.com" },
      sealKey: new Uint8Array(32),
    });
    const before = await appliedTo();
    const plan = await storefront.migrate({ dryRun: true });
    expect(await appliedTo()).toEqual(before);
    expect(plan).toContainEqual(
      expect.objectContaining({ runs: "concurrently", locks: '"payment_attempts"', blockers: [] }),
    );
    expect(plan).toContainEqual(
      expect.objectContaining({ locks: '"orders"', exclusive: true, runs: "transaction" }),
    );

    const later = postgresMigrations().filter(({ id }) => !before.includes(id));
    const steps = later.flatMap((migration) => migration.steps);
    expect(steps.filter((step) => !step.in_transaction)).toHaveLength(
      plan.filter(({ runs }) => runs === "concurrently").length,
    );
    for (const { sql } of steps) await pool.query(sql);
    expect(await storefront.migrate({ dryRun: true })).toEqual([]);
    await storage.migrate();
    expect((await (await createShop(storage)).buy()).status).toBe("paid");
  });

  test("an older process starts and sells on a newer schema that says it may", async () => {
    const storage = postgresStorage(pool);
    await storage.migrate();
    const newer = `insert into migrations (id, name, checksum, applied_at, compatible_from)
      values (999, 'later', 'x', 1,`;
    await pool.query(`${newer} 21)`);
    await storage.migrate();
    expect((await (await createShop(storage)).buy()).status).toBe("paid");

    await pool.query("update migrations set compatible_from = 999 where id = 999");
    await expect(storage.migrate()).rejects.toThrow("newer version (migration 999)");
  });
});
