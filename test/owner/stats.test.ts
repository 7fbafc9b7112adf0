import { beforeEach, expect, test } from "vitest";
import type { OwnerContext } from "../../src/owner/context.ts";
import { readStats, type StatsQuery } from "../../src/owner/stats/stats.ts";
import type { StatChange } from "../../src/rules/owner/stats.ts";
import type { CountedHours } from "../../src/storage/reads/stats-store.ts";
import { type Bench, createBench, refusalOf } from "./bench.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});

/** Asks for the numbers of a store of this time zone, in which these were counted. */
async function stats(
  timezone: string,
  counted: CountedHours,
  query: Omit<StatsQuery, "store_id" | "livemode">,
) {
  const { storage, stores } = bench;
  const { id: store_id } = await stores.create({ name: "Loja", currency: "BRL", timezone });
  const listHours = async ({ from, to }: { readonly from: number; readonly to: number }) => ({
    ...counted,
    rows: counted.rows.filter(({ hour }) => hour >= from && hour < to),
  });
  const asked = { storage: { ...storage, stats: { listHours } } };
  return readStats(asked as unknown as OwnerContext, { store_id, livemode: true, ...query });
}

const at = (
  time: string,
  kind: StatChange["kind"],
  count: number,
  amount: number,
  currency = "BRL",
): StatChange => ({ kind, currency, hour: Date.parse(time), count, amount });

const complete = { orders: null, sessions: null, deliveries: null };

const nothing = {
  orders_paid: 0,
  amount_gross: 0,
  amount_refunded: 0,
  disputes_lost: 0,
  amount_disputes_lost: 0,
  amount_net: 0,
  fees_told: 0,
  amount_fees: 0,
  amount_after_fees: 0,
  payments_failed: 0,
  orders_by_agents: 0,
  amount_by_agents: 0,
  by_method: [],
};

test("net is gross without refunds and lost disputes, for each currency", async () => {
  const hour = "2026-01-31T13:00:00Z";
  const rows = [
    at(hour, "paid", 2, 3000),
    at(hour, "refunded", 1, 700),
    at(hour, "dispute_lost", 1, 1000),
    at(hour, "payment_failed", 4, 0),
    at(hour, "fee", 1, 120),
    at(hour, "paid", 1, 5, "USD"),
    at(hour, "session_created", 5, 0, ""),
    at(hour, "session_created", 3, 0, ""),
    at(hour, "session_completed", 2, 0, ""),
    at(hour, "paid_by_agent", 1, 2000),
    at(hour, "paid_with_card", 1, 1000),
    at(hour, "paid_with_pix", 1, 2000),
    at(hour, "delivery_succeeded", 6, 0, ""),
    at(hour, "delivery_failed", 1, 0, ""),
  ];
  const answer = await stats(
    "UTC",
    {
      rows,
      complete_from: { ...complete, orders: Date.parse("2026-01-01T10:00:00Z") },
    },
    { from: "2026-01-31T12:59:59Z", to: "2026-01-31T14:30:00Z", interval: "hour" },
  );

  const numbers = {
    orders_paid: 2,
    amount_gross: 3000,
    amount_refunded: 700,
    disputes_lost: 1,
    amount_disputes_lost: 1000,
    amount_net: 1300,
    fees_told: 1,
    amount_fees: 120,
    amount_after_fees: 1180,
    payments_failed: 4,
    orders_by_agents: 1,
    amount_by_agents: 2000,
    by_method: [
      { type: "pix", orders_paid: 1, amount_gross: 2000 },
      { type: "card", orders_paid: 1, amount_gross: 1000 },
    ],
  };
  const sessions = { created: 8, completed: 2, conversion: 0.25 };
  const deliveries = { attempts: 7, succeeded: 6, failed: 1 };
  const five = { amount_gross: 5, amount_net: 5, amount_after_fees: 5 };
  const dollars = { ...nothing, orders_paid: 1, ...five };
  expect(answer).toEqual({
    interval: "hour",
    timezone: "UTC",
    from: "2026-01-31T12:00:00.000Z",
    to: "2026-01-31T14:00:00.000Z",
    complete_from: "2026-01-01T10:00:00.000Z",
    currencies: [
      {
        currency: "BRL",
        totals: numbers,
        series: [
          { start: "2026-01-31T12:00:00.000Z", ...nothing },
          { start: "2026-01-31T13:00:00.000Z", ...numbers },
        ],
      },
      {
        currency: "USD",
        totals: dollars,
        series: [
          { start: "2026-01-31T12:00:00.000Z", ...nothing },
          { start: "2026-01-31T13:00:00.000Z", ...dollars },
        ],
      },
    ],
    sessions: {
      complete_from: null,
      totals: sessions,
      series: [
        { start: "2026-01-31T12:00:00.000Z", created: 0, completed: 0, conversion: null },
        { start: "2026-01-31T13:00:00.000Z", ...sessions },
      ],
    },
    deliveries: {
      complete_from: null,
      totals: deliveries,
      series: [
        { start: "2026-01-31T12:00:00.000Z", attempts: 0, succeeded: 0, failed: 0 },
        { start: "2026-01-31T13:00:00.000Z", ...deliveries },
      ],
    },
  });
});

test("days are those of the time zone that is asked for, and the store must exist", async () => {
  const rows = [at("2026-01-31T23:00:00Z", "paid", 1, 100)];
  const query = {
    from: "2026-01-31T12:00:00Z",
    to: "2026-02-01T12:00:00Z",
    interval: "day",
  } as const;
  const counted = { rows, complete_from: complete };

  const tokyo = await stats("UTC", counted, { ...query, timezone: "Asia/Tokyo" });
  expect(tokyo.timezone).toBe("Asia/Tokyo");
  expect(tokyo.currencies[0]?.series.map(({ start, orders_paid }) => [start, orders_paid])).toEqual(
    [
      ["2026-01-31", 0],
      ["2026-02-01", 1],
    ],
  );
  const own = await stats("UTC", counted, query);
  expect(own.currencies[0]?.series[0]).toMatchObject({ start: "2026-01-31", orders_paid: 1 });

  const wrong = { ...query, timezone: "Mars/Olympus" };
  expect(await refusalOf(() => stats("UTC", counted, wrong))).toMatchObject({ param: "timezone" });
  const unknown = { store_id: "str_none", livemode: true, ...query, timezone: "UTC" };
  const ctx = { storage: bench.storage } as unknown as OwnerContext;
  expect(await refusalOf(() => readStats(ctx, unknown))).toMatchObject({
    code: "resource_not_found",
  });
});

test("days and months are those of the store's time zone, also when its clock changes", async () => {
  const paid = (time: string) => at(time, "paid", 1, 100);
  // In New York, 8 March 2026 has 23 hours: it goes from 05:00 to 04:00 UTC.
  const rows = [
    paid("2026-03-08T04:00:00Z"),
    paid("2026-03-08T05:00:00Z"),
    paid("2026-03-09T03:00:00Z"),
    paid("2026-03-09T04:00:00Z"),
  ];
  const range = { from: "2026-03-07T05:00:00Z", to: "2026-03-10T04:00:00Z" };
  const counted = { rows, complete_from: complete };

  const days = await stats("America/New_York", counted, { ...range, interval: "day" });
  expect(days.complete_from).toBeNull();
  const perDay = days.currencies[0]?.series.map(({ start, orders_paid }) => [start, orders_paid]);
  expect(perDay).toEqual([
    ["2026-03-07", 1],
    ["2026-03-08", 2],
    ["2026-03-09", 1],
  ]);

  const months = await stats("America/New_York", counted, { ...range, interval: "month" });
  expect(months.currencies[0]?.series).toMatchObject([{ start: "2026-03", orders_paid: 4 }]);
});

test("a range that is empty or longer than 400 days is refused, and so is an unknown store", async () => {
  const none = { rows: [], complete_from: complete };
  const from = "2026-01-01T00:00:00Z";
  for (const to of ["2026-01-01T00:59:00Z", "2027-02-05T01:00:00Z", "2025-01-01T00:00:00Z"]) {
    const asked = stats("UTC", none, { from, to, interval: "day" });
    expect(await refusalOf(() => asked)).toMatchObject({ code: "parameter_invalid", param: "to" });
  }

  const context = { storage: bench.storage } as unknown as OwnerContext;
  const query = { store_id: "str_none", livemode: true, from, to: "2026-01-02T00:00:00Z" } as const;
  expect(await refusalOf(() => readStats(context, { ...query, interval: "day" }))).toMatchObject({
    code: "resource_not_found",
    param: "store_id",
  });
});

test.each(["UTC", "America/Sao_Paulo", "Europe/Lisbon", "Asia/Kolkata", "Australia/Lord_Howe"])(
  "each hour counts in the day and month of %s in which it begins, also when the clocks change",
  async (timeZone) => {
    const from = Date.parse("2025-09-30T23:00:00Z");
    const to = Date.parse("2026-05-02T05:00:00Z");
    const rows: StatChange[] = [];
    for (let hour = from; hour < to; hour += 3_600_000)
      rows.push({ kind: "paid", currency: "BRL", hour, count: 1, amount: 10 });

    const format = new Intl.DateTimeFormat("sv", { timeZone });
    for (const [interval, length] of [
      ["day", 10],
      ["month", 7],
    ] as const) {
      const expected = new Map<string, number>();
      for (const { hour } of rows) {
        const label = format.format(hour).slice(0, length);
        expected.set(label, (expected.get(label) ?? 0) + 1);
      }
      const counted = { rows, complete_from: complete };
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const answer = await stats(timeZone, counted, { ...range, interval });
      const series = answer.currencies[0]?.series ?? [];
      expect(series.map(({ start, orders_paid }) => [start, orders_paid])).toEqual([...expected]);
    }
  },
);
