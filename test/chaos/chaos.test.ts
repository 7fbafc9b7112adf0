import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { startServer } from "../support/postgres-server.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { type ChaosReport, runChaos } from "./chaos.ts";

// Runs on both databases at once: for a minute in CI, and for ten minutes with CHAOS_SECONDS=600.
const seconds = Number(process.env["CHAOS_SECONDS"] ?? 10);
const timeout = (seconds + 180) * 1_000;
/**
 * The most deliveries that a worker can have sent before it wrote the result: its open requests and
 * two batches of results.
 */
const unsettled = 16 + 2 * 32;

function judge(report: ChaosReport): void {
  console.log(`chaos ${JSON.stringify(report)}`);
  expect(report.orders).toBeGreaterThan(0);
  expect(report.lost).toBe(0);
  expect(report.states).toEqual({ delivered: report.deliveries });
  expect(report.deliveries).toBeGreaterThanOrEqual(report.orders * 15);
  expect(report.kills).toBeGreaterThan(0);
  expect(report.extra_sends).toBeGreaterThanOrEqual(0);
  expect(report.extra_sends).toBeLessThanOrEqual((report.kills + report.restarts * 4) * unsettled);
}

describe.concurrent("workers killed at random: no event is lost, every delivery ends, extra sends are few", () => {
  test("on SQLite", { timeout }, async () => {
    const file = join(freshFolder(), "chaos.sqlite");
    const storage = sqliteStorage(file);
    await storage.migrate();
    judge(await runChaos({ args: ["sqlite", file, ""], storage, seconds, workers: 2 }));
    await storage.close();
  });

  test("on PostgreSQL, which crashes too when the test started it", { timeout }, async () => {
    const own = process.env["TEST_DATABASE_URL"] ? null : await startServer();
    const url = own?.url ?? (await postgresUrl());
    const schema = `chaos_${process.pid}`;
    const pool = new pg.Pool({ connectionString: url, max: 8 });
    pool.on("error", () => {});
    const storage = postgresStorage(pool, { schema });
    await storage.migrate();
    judge(
      await runChaos({
        args: ["postgres", url, schema],
        storage,
        seconds,
        workers: 4,
        ...(own && { restart: own.restart }),
      }),
    );
    if (!own) await pool.query(`drop schema "${schema}" cascade`);
    await pool.end();
    await own?.stop();
  });
});
