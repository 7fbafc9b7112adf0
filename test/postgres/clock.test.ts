import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";
import { openPostgres } from "../support/storages.ts";

const minute = 60_000;
afterEach(() => vi.useRealTimers());

/** Makes this host's clock wrong, not the database's. */
const shiftHostClock = (by: number): void => {
  const real = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, now: real + by });
};

describe("the clock on PostgreSQL", () => {
  test("a host whose clock is ten minutes off makes sessions of thirty minutes by the database's clock", async () => {
    for (const wrong of [-10 * minute, 10 * minute]) {
      const storage = await openPostgres();
      shiftHostClock(wrong);
      const shop = await createShop(storage, { now: undefined as never });
      const made = await shop.session();
      const admin = new pg.Client(await postgresUrl());
      await admin.connect();
      const { rows } = await admin.query(
        "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now",
      );
      await admin.end();
      vi.useRealTimers();
      const expires = Date.parse(made.body.data.expires_at) - Number(rows[0].now);
      expect(Math.abs(expires - 30 * minute)).toBeLessThan(minute);
    }
  });

  test("two hosts whose clocks are ten minutes apart share one rate limit", async () => {
    const pool = new pg.Pool({ connectionString: await postgresUrl(), max: 4 });
    const schema = `clock${process.pid}`;
    const storage = postgresStorage(pool, { schema });
    await storage.migrate();
    const shop = await createShop(storage, { now: undefined as never });
    const first = await Promise.all(Array.from({ length: 6 }, () => shop.session()));
    shiftHostClock(10 * minute);
    const second = await Promise.all(Array.from({ length: 6 }, () => shop.session()));
    vi.useRealTimers();
    const answers = [...first, ...second].map(({ status }) => status);
    expect(answers.filter((status) => status === 201)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(2);
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  });

  test("a storefront with a clock of its own uses that clock alone, for rate limits too", async () => {
    const shop = await createShop(await openPostgres());
    for (let turn = 0; turn < 10; turn += 1) expect((await shop.session()).status).toBe(201);
    expect((await shop.session()).status).toBe(429);
    shop.advance(minute);
    expect((await shop.session()).status).toBe(201);
  });
});
