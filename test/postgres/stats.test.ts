import assert from "node:assert/strict";
import { expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createIds } from "../../src/domain/keys/ids.ts";
import type { StatChange } from "../../src/rules/owner/stats.ts";
import { completeSession } from "../../src/steps/checkout-steps.ts";
import { reserveRefund } from "../../src/steps/order-steps.ts";
import { refundFixtures } from "../../src/testing/conformance/fixtures/refund-fixtures.ts";
import { engine, refuse } from "../../src/testing/conformance/fixtures/webhook-fixtures.ts";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { createShop } from "../support/shop.ts";

const partition = { store_id: "str_A", livemode: false };
const hour = 3_600_000;

const { open } = await databasesBySql("stats");

/** What an older version left: it counted nothing and marked nothing. */
const forgetNumbers = [
  `update orders set in_stats = null, record = replace(record, ',"in_stats":true', '')`,
  "update delivery_attempts set in_stats = null",
  "delete from hourly_stats",
  "delete from session_rollups",
];

function contextOf(storage: Storage) {
  let time = Date.UTC(2026, 0, 1);
  const advance = (ms: number): void => {
    time += ms;
  };
  const clock = { now: () => time, advance };
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  return { storage, assert, clock, newId: createIds({ now: clock.now, randomBytes }) };
}

/** The rows of an answer, added up and sorted. */
function summed(rows: readonly StatChange[]): readonly string[] {
  const sums = new Map<string, { count: number; amount: number }>();
  for (const { hour: at, kind, currency, count, amount } of rows) {
    const key = `${at / hour} ${kind} ${currency}`;
    const known = sums.get(key) ?? { count: 0, amount: 0 };
    sums.set(key, { count: known.count + count, amount: known.amount + amount });
  }
  return [...sums].map(([key, { count, amount }]) => `${key} ${count} ${amount}`).sort();
}

test.each(["sqlite", "postgres"] as const)(
  "what an older version wrote is counted once, beside steps, several processes and a crash, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const context = contextOf(storage);
    const { clock } = context;
    const { endpoint, drain, receiver, openSession, completion } = await engine(context);
    const { refund } = refundFixtures(context);
    await endpoint("we_1");
    const buy = async () => {
      const sold = await completeSession(storage.orders, completion(await openSession()));
      if (sold.outcome !== "paid") throw new Error(sold.outcome);
      return sold.order;
    };
    const giveBack = (order: Awaited<ReturnType<typeof buy>>, amount: number) =>
      reserveRefund(storage.orders, {
        ...refund(order, { reference: `r_${amount}`, amount }),
        moved_by_host: true,
      });
    const read = () => storage.stats.listHours({ ...partition, from: 0, to: 1e15 });

    const sold = [];
    for (let count = 0; count < 12; count += 1) {
      sold.push(await buy());
      clock.advance(hour / 4);
    }
    const [first, second] = sold;
    if (!first || !second) throw new Error("No orders.");
    await openSession();
    await giveBack(first, 100);
    receiver.answer = () => refuse;
    await drain();
    const whole = summed((await read()).rows);
    for (const text of forgetNumbers) await run(text);

    // A step on an order that is not counted leaves it to maintenance; others count at once.
    await giveBack(second, 50);
    const changed = clock.now();
    const before = await read();
    expect(before.complete_from).toEqual({
      orders: changed,
      sessions: changed,
      deliveries: changed,
    });
    expect(before.rows.some(({ kind }) => kind === "refunded")).toBe(false);

    // A process dies after its first chunk: the newest are counted, and the rest waits.
    expect(await storage.stats.count("orders", { now: 0, limit: 2 })).toBe(2);
    const begun = await read();
    expect(begun.complete_from.orders).toBe(changed - hour / 4);
    const countAll = async () => {
      while ((await storage.stats.count("orders", { now: 0, limit: 3 })) > 0);
      while ((await storage.stats.count("deliveries", { now: 0, limit: 5 })) > 0);
    };
    await Promise.all([countAll(), countAll(), countAll(), giveBack(second, 7), buy()]);
    await countAll();

    const { rows, complete_from } = await read();
    expect(complete_from).toEqual({ orders: null, sessions: null, deliveries: null });
    const now = Math.floor(clock.now() / hour);
    const expected = whole.map((row) => {
      if (row === `${now} refunded BRL 1 100`) return `${now} refunded BRL 3 157`;
      return row === `${now} session_created  1 0` ? `${now} session_created  2 0` : row;
    });
    const bought = [`${now} paid BRL 1 1000`, `${now} session_completed  1 0`];
    expect(summed(rows)).toEqual([...expected, ...bought].sort());
    await storage.close();
  },
);

test.each(["sqlite", "postgres"] as const)(
  "attempts that an older version wrote are counted before they are deleted, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const shop = await createShop(storage);
    const url = "https://receiver.example.com/hook";
    await shop.owner.endpoints.create({ store_id: shop.a.id, livemode: false, url });
    await shop.buy();
    await shop.storefront.drainWebhooks();
    const where = { store_id: shop.a.id, livemode: false, from: 0, to: 1e15 };
    const attempts = async () => {
      const { rows, complete_from } = await storage.stats.listHours(where);
      const counted = rows.filter(({ kind }) => kind.startsWith("delivery"));
      return { counted: summed(counted), complete_from: complete_from.deliveries };
    };
    const whole = await attempts();
    expect(whole.counted).not.toEqual([]);

    for (const text of forgetNumbers) await run(text);
    shop.advance(31 * 24 * hour);
    const report = await shop.storefront.runMaintenance();
    expect(report.rows_purged).toBeGreaterThanOrEqual(shop.posts.length);
    expect(await attempts()).toEqual(whole);
  },
);

test("what an older version had deleted before it was counted is told", async () => {
  const { storage, run } = open.sqlite();
  await storage.migrate();
  const migratedAt = Date.UTC(2026, 5, 1);
  await run(`update migrations set applied_at = ${Date.UTC(2026, 0, 1)}`);
  await run(`update migrations set applied_at = ${migratedAt} where id = 16`);

  const kept = migratedAt - 30 * 24 * hour;
  const { complete_from } = await storage.stats.listHours({ ...partition, from: 0, to: 1e15 });
  expect(complete_from).toEqual({ orders: null, sessions: kept, deliveries: kept });
  await storage.close();
});
