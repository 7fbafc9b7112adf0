import { expect, test } from "vitest";
import { orderChanges } from "../../src/rules/order-changes.ts";
import { emptySnapshot, type OrderSnapshot } from "../../src/rules/order-snapshot.ts";
import type { OrderRecord } from "../../src/rules/records.ts";
import { type StatChange, statsOf } from "../../src/rules/stats.ts";

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
