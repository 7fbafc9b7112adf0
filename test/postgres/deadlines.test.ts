import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import { type PostgresOptions, postgresStorage } from "vitrine/postgres";
import { frozenProxy } from "../support/frozen-proxy.ts";
import { patience } from "../support/patience.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

// Long enough for a call on a busy machine: only what stands still takes longer.
const callTimeoutMs = 3_000;

/** A shop whose connections lead through a network that can stand still. */
async function shopBehindNetwork(options: PostgresOptions = {}) {
  const { pool: direct, schema } = await openPostgresOn({ max: 3 });
  const network = await frozenProxy(await postgresUrl());
  const pool = new pg.Pool({ connectionString: network.url, max: 3 });
  pool.on("error", () => {});
  onTestFinished(async () => {
    network.thaw();
    await network.close();
    await pool.end();
  });

  const storage = postgresStorage(pool, { schema, callTimeoutMs, ...options });
  const shop = await createShop(storage, { limits: { checkout: null } });
  const count = async (table: string): Promise<number> =>
    Number((await direct.query(`select count(*) from ${schema}.${table}`)).rows[0].count);
  return { shop, network, direct, schema, pool, count };
}

const headers = { "idempotency-key": "the-one-key" };

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const started = performance.now();
  return { value: await work, ms: performance.now() - started };
}

test("a list behind a network that stands still is 503 with Retry-After by the deadline", async () => {
  const { shop, network, pool } = await shopBehindNetwork();
  await shop.get("/orders", { key: shop.a.test.sec });
  network.freeze();

  const { value, ms } = await timed(shop.get("/orders", { key: shop.a.test.sec }));
  expect(value).toMatchObject({ status: 503, body: { error: { code: "service_unavailable" } } });
  expect(value.headers["retry-after"]).toBe("1");
  expect(ms).toBeLessThan(callTimeoutMs + 2_000);

  network.thaw();
  expect((await shop.get("/orders", { key: shop.a.test.sec })).status).toBe(200);
  expect(pool.waitingCount).toBe(0);
});

test("a purchase whose write is not acknowledged is 503, and its repetition gets the answer", async () => {
  const { shop, network, count } = await shopBehindNetwork();
  await shop.session();
  const before = await count("checkout_sessions");

  network.freezeAfter("insert into");
  expect((await shop.session(undefined, { headers })).status).toBe(503);
  network.thaw();

  const repeated = await shop.session(undefined, { headers });
  expect(repeated.status).toBe(201);
  expect(repeated.headers["idempotent-replayed"]).toBe("true");
  expect(await count("checkout_sessions")).toBe(before + 1);
});

test("a purchase that waits for a lock is 503; it is written whole or not, and its repetition sells once", async () => {
  const { shop, direct, schema, count } = await shopBehindNetwork();
  await shop.session();
  const before = await count("checkout_sessions");
  const holder = await direct.connect();
  await holder.query(`begin; lock table ${schema}.checkout_sessions in exclusive mode`);

  const { value, ms } = await timed(shop.session(undefined, { headers }));
  expect(value.status).toBe(503);
  expect(ms).toBeLessThan(callTimeoutMs + 2_000);

  await holder.query("rollback");
  holder.release();
  // The server gets the lock for the statement that nobody waits for any more.
  await vi.waitFor(async () => {
    const waiting = await direct.query(
      "select 1 from pg_locks where not granted and pid <> pg_backend_pid()",
    );
    expect(waiting.rowCount).toBe(0);
  }, patience);
  // Both in one statement, so that a commit between two counts is not taken for half a write.
  const written = await direct.query(`select
    (select count(*) from ${schema}.checkout_sessions) as sessions,
    (select count(*) from ${schema}.idempotency_keys) as keys`);
  expect(written.rows[0].sessions).toBe(written.rows[0].keys);

  expect((await shop.session(undefined, { headers })).status).toBe(201);
  expect(await count("checkout_sessions")).toBe(before + 1);
});

test("a request that takes longer than requestTimeoutMs is 503, and its repetition gets the answer", async () => {
  let finish = (_url: string): void => {};
  const built = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const shop = await createShop(memoryStorage(), {
    requestTimeoutMs: 100,
    checkout: { url: () => built },
  });
  const first = await shop.session(undefined, { headers });
  expect(first.status).toBe(503);
  expect(first.headers["retry-after"]).toBe("1");

  // The first request still runs, so its key is taken.
  expect((await shop.session(undefined, { headers })).status).toBe(409);
  finish("https://pay.example.com/c/1");
  await vi.waitFor(async () => {
    const repeated = await shop.session(undefined, { headers });
    expect(repeated).toMatchObject({ status: 201, headers: { "idempotent-replayed": "true" } });
  }, patience);
});

test("migrate() warns of time-outs of the database under which sales can stand for long", async () => {
  const { schema } = await openPostgresOn({ max: 1 });
  const warningsOf = async (options: string, storageOptions: PostgresOptions = {}) => {
    const pool = new pg.Pool({ connectionString: await postgresUrl(), max: 2, options });
    onTestFinished(() => pool.end());
    const warnings: string[] = [];
    const quiet = (): void => {};
    const storefront = createStorefront({
      storage: postgresStorage(pool, { schema, ...storageOptions }),
      publicUrl: "https://shop.example.com",
      sealKey: new Uint8Array(32).fill(3),
      logger: { debug: quiet, info: quiet, error: quiet, warn: (_, text) => warnings.push(text) },
    });
    await storefront.migrate();
    return warnings;
  };

  const unlimited = "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0";
  const limited = "-c statement_timeout=10s -c idle_in_transaction_session_timeout=30s";
  expect(await warningsOf(unlimited)).toEqual([
    expect.stringContaining("idle_in_transaction_session_timeout"),
    expect.stringContaining("statement_timeout is 0"),
  ]);
  expect(await warningsOf(limited)).toEqual([]);
  expect(await warningsOf(limited, { callTimeoutMs: 5_000 })).toEqual([
    expect.stringContaining("statement_timeout is 10000"),
    expect.stringContaining("acquireTimeoutMs"),
  ]);
  expect(await warningsOf(limited, { callTimeoutMs: null })).toEqual([
    expect.stringContaining("callTimeoutMs is null"),
  ]);
});

test.each([0, 99, 1.5, 3_600_001])("the deadlines refuse %s", async (value) => {
  expect(() => postgresStorage({ connect() {} }, { callTimeoutMs: value })).toThrow(
    /callTimeoutMs/,
  );
  await expect(createShop(memoryStorage(), { requestTimeoutMs: value })).rejects.toThrow(
    /requestTimeoutMs/,
  );
});
