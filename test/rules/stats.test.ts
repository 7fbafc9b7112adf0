import { expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { emptySnapshot, type OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import {
  mergeStats,
  type StatChange,
  startOfHour,
  statOfDelivery,
  statOfSessions,
  statsOf,
  statsOfHistory,
} from "../../src/rules/owner/stats.ts";
import type { OrderRecord } from "../../src/rules/records.ts";

const hour = 3_600_000;
const order = {
  id: "ord_1",
  currency: "BRL",
  amount_total: 1000,
  paid_at: null,
  in_stats: true,
} as unknown as OrderRecord;
const paid = { ...order, paid_at: hour + 5 };
const { in_stats: _, ...uncounted } = order;

type History = Partial<Pick<OrderSnapshot, "order" | "attempts" | "refunds" | "disputes">>;

/** Only the fields that are counted; the rest of a record does not matter here. */
const history = (rows: Record<string, unknown>): History => rows as History;

const added = (before: History, after: History): readonly StatChange[] =>
  statsOf({ ...emptySnapshot, ...before }, orderChanges({ order, ...after }));

const refund = (state: string, updated_at: number) => ({
  id: "rf_1",
  state,
  amount: 300,
  updated_at,
});
const attempt = (state: string, failure_code: string | null) => ({
  id: "pay_1",
  state,
  failure_code,
  updated_at: 2 * hour,
});
const session = history({ session: { id: "cs_1", created_at: 7 } });
const dispute = (outcome: string | null) => ({ id: "dp_1", outcome, amount: 200, updated_at: 1 });

const row = { currency: "BRL", hour: 0, count: 1, amount: 0 };

test.each<[name: string, before: History, after: History, expected: readonly StatChange[]]>([
  [
    "an order that becomes paid counts at `paid_at`",
    { order },
    { order: paid },
    [{ ...row, kind: "paid", hour, amount: 1000 }],
  ],
  [
    "a session that is paid counts for the hour of its creation",
    { order },
    { order: paid, ...session },
    [
      { kind: "session_completed", currency: "", hour: 0, count: 1, amount: 0 },
      { ...row, kind: "paid", hour, amount: 1000 },
    ],
  ],
  [
    "an order of an older version counts nothing until maintenance has counted it",
    { order: uncounted },
    { order: { ...paid, ...uncounted } },
    [],
  ],
  ["an order that was paid before counts nothing", { order: paid }, { order: paid }, []],
  [
    "a refund counts when it succeeds",
    history({ refunds: [refund("pending", 0)] }),
    history({ refunds: [refund("succeeded", hour)] }),
    [{ ...row, kind: "refunded", hour, amount: 300 }],
  ],
  [
    "a refund that fails after its success is taken off at that hour",
    history({ refunds: [refund("succeeded", hour)] }),
    history({ refunds: [refund("failed", 3 * hour)] }),
    [{ ...row, kind: "refunded", hour: 3 * hour, count: -1, amount: -300 }],
  ],
  [
    "a refund that another record takes over counts no second time",
    history({ refunds: [refund("succeeded", hour), { ...refund("pending", 0), id: "rf_2" }] }),
    history({ refunds: [refund("failed", hour), { ...refund("succeeded", hour), id: "rf_2" }] }),
    [],
  ],
  [
    "a dispute counts when it is lost",
    history({ disputes: [dispute(null)] }),
    history({ disputes: [dispute("lost")] }),
    [{ ...row, kind: "dispute_lost", amount: 200 }],
  ],
  [
    "a dispute that is won counts nothing",
    history({ disputes: [dispute(null)] }),
    history({ disputes: [dispute("won")] }),
    [],
  ],
  [
    "a payment that fails counts, without an amount",
    history({ attempts: [attempt("in_flight", null)] }),
    history({ attempts: [attempt("failed", "declined")] }),
    [{ ...row, kind: "payment_failed", hour: 2 * hour }],
  ],
  [
    "a payment that a newer one replaces has not failed",
    history({ attempts: [attempt("in_flight", null)] }),
    history({ attempts: [attempt("failed", "replaced")] }),
    [],
  ],
])("%s", (_name, before, after, expected) => {
  expect(added(before, after)).toEqual(expected);
});

test.each([
  ["another order before it", { order: { ...paid, id: "ord_0" } }, { order: paid }, ["paid"]],
  ["a session that is not paid now", { order: paid }, { order: paid, ...session }, []],
  [
    "a dispute that was lost before",
    history({ disputes: [dispute("lost")] }),
    history({ disputes: [dispute("lost")] }),
    [],
  ],
  [
    "a dispute that is lost at once",
    {},
    history({ disputes: [dispute("lost")] }),
    ["dispute_lost"],
  ],
  [
    "a refund that succeeded beside another one",
    history({ refunds: [{ ...refund("succeeded", 0), id: "rf_0" }] }),
    history({ refunds: [refund("succeeded", 0)] }),
    ["refunded"],
  ],
])("a step with %s counts %j", (_name, before, after, kinds) => {
  expect(added(before, after).map(({ kind }) => kind)).toEqual(kinds);
});

test("a whole order of an older version is counted at once", () => {
  const rows = history({
    ...session,
    attempts: [],
    refunds: [refund("succeeded", hour)],
    disputes: [],
  });
  const counted = statsOfHistory({ ...rows, order: paid } as Parameters<typeof statsOfHistory>[0]);
  expect(counted.map(({ kind }) => kind)).toEqual(["session_completed", "paid", "refunded"]);
});

test.each([
  [null, "delivery_succeeded"],
  ["timeout", "delivery_failed"],
])("an attempt to deliver with the error %j counts as %s in its hour", (error, kind) => {
  const counted = { kind, currency: "", hour: 2 * hour, count: 1, amount: 0 };
  expect(statOfDelivery({ started_at: 3 * hour - 1, error })).toEqual(counted);
});

test("sessions count in the hour in which they were created", () => {
  const counted = { kind: "session_created", currency: "", hour, count: 5, amount: 0 };
  expect(statOfSessions(hour, 5)).toEqual(counted);
});

test.each([
  [0, 0],
  [hour - 1, 0],
  [hour, hour],
])("the hour of %d begins at %d", (time, start) => {
  expect(startOfHour(time)).toBe(start);
});

test("changes of one hour, kind and currency are one, and what adds up to nothing is none", () => {
  const change = (kind: StatChange["kind"], at: number, count: number, amount: number) => ({
    kind,
    currency: "BRL",
    hour: at,
    count,
    amount,
  });
  expect(
    mergeStats([
      change("refunded", hour, 1, 300),
      change("paid", hour, 1, 5),
      change("refunded", hour, -1, -100),
      change("dispute_lost", hour, 1, 0),
      change("payment_failed", 0, 1, 0),
      change("dispute_lost", hour, -1, 0),
      { ...change("paid", hour, 1, 7), currency: "USD" },
    ]),
  ).toEqual([
    change("payment_failed", 0, 1, 0),
    change("paid", hour, 1, 5),
    { ...change("paid", hour, 1, 7), currency: "USD" },
    change("refunded", hour, 0, 200),
  ]);
});

test("a step that writes no order counts nothing", () => {
  expect(statsOf(emptySnapshot, orderChanges({}))).toEqual([]);
});

test("the rows of a step are sorted by hour and kind, in which order they are locked", () => {
  const before = history({ order, attempts: [attempt("failed", "declined")] });
  const after = history({
    order: paid,
    attempts: [
      attempt("succeeded", null),
      { ...attempt("failed", "error"), id: "pay_0", updated_at: hour },
    ],
  });
  expect(added(before, after).map(({ hour: at, kind }) => [at, kind])).toEqual([
    [hour, "paid"],
    [hour, "payment_failed"],
    [2 * hour, "payment_failed"],
  ]);
});
