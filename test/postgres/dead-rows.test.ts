import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import {
  claimAt,
  expectAllFound,
  expectFoundBetweenLooks,
  expectNextWork,
  fillBesideReader,
  latencyMs,
  now,
} from "../support/dead-rows.ts";
import { ownDatabase } from "../support/own-database.ts";
import { recordingPool, type Statement } from "../support/recorded-statements.ts";

const own = await ownDatabase(`dead_rows_${process.pid}`);
const pools: pg.Pool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await own.drop();
});

describe("beside a transaction that stays open", () => {
  const statements: Statement[] = [];
  let storage: Storage;
  let pool: pg.Pool;

  beforeEach(async (context) => {
    const schema = `dead_${pools.length}`;
    pool = new pg.Pool({
      connectionString: own.url,
      max: 4,
      options: `-c search_path=${schema},public`,
    });
    pools.push(pool);
    storage = postgresStorage(recordingPool(pool, statements, latencyMs), { schema });
    await storage.migrate();
    const reader = await fillBesideReader(pool);
    context.onTestFinished(() => reader.release(true));
    statements.length = 0;
  });

  const blocksOf = async (pattern: RegExp): Promise<number> => {
    const { text, values } = statements.filter((one) => pattern.test(one.text)).at(-1) ?? {
      text: "",
      values: [],
    };
    const client = await pool.connect();
    await client.query("begin");
    const explained = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    await client.query("rollback");
    client.release();
    const [{ Plan: plan }] = explained.rows[0]["QUERY PLAN"];
    return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
  };

  test("a claim and the look for the next work do not walk what was sent", async () => {
    const claimed = /^\s*with recursive.*update/s;
    await claimAt(storage, now);
    const whole = await blocksOf(claimed);
    while ((await claimAt(storage, now)).deliveries.length > 0);
    expect(await blocksOf(claimed)).toBeLessThan(whole / 10);

    await storage.webhooks.findNextWork(now);
    const wholeLook = await blocksOf(/^(?!explain).*as next_due/s);
    await storage.webhooks.findNextWork(now);
    expect(await blocksOf(/^(?!explain).*as next_due/s)).toBeLessThan(wholeLook / 10);
  });

  test("every delivery is found, in any order of writes", () => expectAllFound(storage, pool));

  test("what became due between two claims is found, of an endpoint that had nothing", () =>
    expectFoundBetweenLooks(storage, pool));

  test("the next work is found", () => expectNextWork(storage, pool));
});
