import assert from "node:assert/strict";
import { expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createIds } from "../../src/domain/keys/ids.ts";
import { backOfficeFixtures } from "../../src/testing/conformance/fixtures/back-office-fixtures.ts";
import { fixtures } from "../../src/testing/conformance/fixtures/fixtures.ts";
import { databasesBySql } from "../support/databases-by-sql.ts";

const hour = 3_600_000;
const day = 24 * hour;
const { open } = await databasesBySql("sales");

/** Sells one piece of a product some times, a step apart, to three customers in turn. */
async function seller(storage: Storage) {
  let time = Date.UTC(2026, 0, 1, 7, 30);
  const clock = {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const context = { storage, assert, clock, newId: createIds({ now: clock.now, randomBytes }) };
  const { shop, partition } = fixtures(context);
  const { sell } = backOfficeFixtures(context);
  await shop();

  const paidAt: number[] = [];
  const sellEach = async (count: number, step: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      paidAt.push(time);
      await sell({ id: `user_${paidAt.length % 3}` });
      time += step;
    }
  };
  const read = async (from: number, to: number) => {
    const sales = { before: from, top: 5 };
    const answer = await storage.stats.listHours({ ...partition, from, to, sales });
    if (!answer.sales) throw new Error("The sales are missing.");
    const { rows, complete_from } = answer.sales;
    const orders = (kind: string): number =>
      rows.filter((row) => row.kind === kind).reduce((sum, { now }) => sum + now.orders, 0);
    return { complete_from, orders: [orders("product"), orders("channel"), orders("customers")] };
  };
  const count = (limit = 1) => storage.stats.count("sales", { now: time, limit });
  const countAll = async () => {
    while ((await count()) > 0);
  };
  const soldIn = (from: number, to: number): readonly number[] =>
    Array(3).fill(paidAt.filter((at) => at >= from && at < to).length);
  return { clock, paidAt, sellEach, read, count, countAll, soldIn };
}

test.each(["sqlite", "postgres"] as const)(
  "orders of before the upgrade are counted newest first, beside sales and other processes, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const { clock, paidAt, sellEach, read, count, countAll, soldIn } = await seller(storage);
    await sellEach(70, 50 * 60_000);
    const first = (paidAt[0] ?? 0) - 30 * 60_000;
    clock.advance(hour);

    // A chunk of twenty orders is one transaction. A process that dies leaves what it counted.
    expect(await count()).toBeGreaterThanOrEqual(20);
    const { complete_from } = await read(first, clock.now());
    const from = complete_from ?? 0;
    expect(from % hour).toBe(0);
    expect(paidAt.filter((at) => at >= from).length).toBeLessThan(50);
    expect((await read(from, clock.now())).orders).toEqual(soldIn(from, clock.now()));

    await Promise.all([countAll(), countAll(), countAll(), sellEach(2, hour / 10)]);
    await countAll();
    const ends = [first, first + 5 * hour, first + day, first + 2 * day + 3 * hour, clock.now()];
    for (const start of ends)
      for (const end of ends.filter((each) => each > start))
        expect(await read(start, end + hour)).toEqual({
          complete_from: null,
          orders: soldIn(Math.floor(start / hour) * hour, end + hour),
        });

    // A restored backup, or a hand in the table, is counted anew without a doubled number.
    await run("delete from sales_rollups");
    await run("delete from counted_sales where unit = 'day'");
    await countAll();
    expect(await read(first, clock.now() + hour)).toEqual({
      complete_from: null,
      orders: soldIn(first, clock.now() + hour),
    });
    await storage.close();
  },
);

test("a store without sales is walked once an hour and not written", async () => {
  const { storage, run } = open.sqlite();
  await storage.migrate();
  const { clock, sellEach, read, count, countAll, soldIn } = await seller(storage);
  for (let index = 0; index < 5; index += 1)
    await run(`insert into stores
        (id, slug, catalog_version, record, origins, return_urls)
        select 'str_${index}', 'slug-${index}', 1, record, origins, return_urls
        from stores where id = 'str_A'`);
  expect(await count(2)).toBe(0);
  await sellEach(3, hour);
  const to = clock.now();
  clock.advance(hour);
  await countAll();
  expect(await read(to - day, to)).toEqual({ complete_from: null, orders: soldIn(0, to) });
  expect(await count(2)).toBe(0);
  await storage.close();
});
