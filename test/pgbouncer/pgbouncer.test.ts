import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { freePort } from "../support/free-port.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop, returnUrl } from "../support/shop.ts";
import { startWorkers } from "../support/workers.ts";

const databaseUrl = await postgresUrl();

/**
 * Starts a real PgBouncer in transaction mode, with fewer connections to the database than it has
 * clients: no session state survives between two transactions.
 */
async function startPgbouncer(target: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port, pathname, username } = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pgbouncer-"));
  chmodSync(folder, 0o755);
  const own = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 500
unix_socket_dir =
ignore_startup_parameters = extra_float_digits
`,
  );
  const root = process.getuid?.() === 0; // PgBouncer refuses to run as root
  const child: ChildProcess = spawn("pgbouncer", [...(root ? ["-u", "nobody"] : []), "-q", file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  await ready(child, url);
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (child.exitCode !== null)
      throw new Error(`PgBouncer ended with ${child.exitCode} at its start.`);
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.query("select 1");
      return await client.end();
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error("PgBouncer was not ready in 10 s.");
}

describe("behind PgBouncer in transaction mode", () => {
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>;
  const cleanups: (() => Promise<unknown>)[] = [];
  const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  beforeAll(async () => {
    bouncer = await startPgbouncer(databaseUrl);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });
  afterAll(async () => {
    await bouncer.stop();
    await admin.end();
  });
  let schemas = 0;
  const open = async (schema = `b${process.pid}_${++schemas}`) => {
    const pool = new pg.Pool({ connectionString: bouncer.url, max: 20 });
    pool.on("error", () => {});
    cleanups.push(() =>
      pool.end().then(() => admin.query(`drop schema if exists ${schema} cascade`)),
    );
    const storage = postgresStorage(pool, { schema });
    await storage.migrate();
    return { storage, schema };
  };

  for (const storageCase of storageSuite) {
    test(`the storage port: ${storageCase.name}`, async () => {
      const { storage } = await open();
      await runStorageCase(storageCase, { storage, assert });
    });
  }

  test("fifty equal checkout requests over four processes make one session", async () => {
    const { storage, schema } = await open();
    const shop = await createShop(storage, { now: Date.now, limits: { checkout: null } });
    const workers = await startWorkers(4, "postgres", bouncer.url, schema);
    const call = (index: number, key: string) => ({
      act: "call",
      count: index < 2 ? 13 : 12,
      path: "/checkout/sessions",
      headers: { authorization: `Bearer ${shop.a.test.pub}`, "idempotency-key": key },
      body: {
        items: [{ product_id: shop.product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
    });
    const answers = (
      await Promise.all(workers.map((worker, index) => worker.do(call(index, "equal"))))
    ).flat();
    await Promise.all(workers.map((worker) => worker.stop()));
    const made = answers.filter(({ status }: { status: number }) => status === 201);
    expect(new Set(made.map(({ id }: { id: string }) => id)).size).toBe(1);
    expect(answers).toHaveLength(50);
    expect(answers.filter(({ status }: { status: number }) => status >= 500)).toEqual([]);
  });
});
