import { describe, expect, test } from "vitest";
import type { RefundRecord } from "../../src/rules/payments/payment-records.ts";
import {
  callEndsAt,
  firstCheckAfterLoss,
  nextCheckInFlight,
  nextCheckOfUnknown,
} from "../../src/rules/payments/payment-schedule.ts";
import {
  actionForUnknownRefund,
  firstRefundCheckMs,
  nextRefundAction,
  nextRefundCheck,
  refundKey,
} from "../../src/rules/refunds/refund-schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 0, 15);

describe("questions about a payment", () => {
  test("a call may run for 150 seconds, and a lost answer is asked for after a minute", () => {
    expect(callEndsAt(now)).toBe(now + 150_000);
    expect(firstCheckAfterLoss(now)).toBe(now + minute);
  });

  test.each([
    ["ten minutes on", now + hour, now + 10 * minute],
    ["when it expires, if that is earlier", now + 9 * minute, now + 9 * minute],
    ["at once, when it has expired", now - 1, now],
  ])("in flight, the next one comes %s", (_name, expires_at, check_at) => {
    expect(nextCheckInFlight({ expires_at, created_at: 0 }, now)).toBe(check_at);
  });

  test.each([
    ["ten minutes on at first", 0, 10 * minute],
    ["after a sixth of its age", 3 * hour, 30 * minute],
    ["an hour on at the latest", 2 * day, hour],
  ])("for the charge of a renewal it comes %s", (_name, age, wait) => {
    const renews = { subscription_id: "sub_1", period_start: now };
    const attempt = { renews, created_at: now - age, expires_at: now + 5 * day };
    expect(nextCheckInFlight(attempt, now)).toBe(now + wait);
  });

  const waits = [
    ...[1, 2, 5, 10, 30].map((count) => count * minute),
    ...[1, 2, 4, 8].map((count) => count * hour),
    ...Array.from({ length: 14 }, (_, index) => (index + 1) * day),
  ];
  const timesOf = (id: string): number[] => {
    const times: number[] = [];
    let next = nextCheckOfUnknown({ id, expires_at: 0 }, 0);
    for (let turn = 0; next !== null && turn < 100; turn += 1) {
      times.push(next);
      next = nextCheckOfUnknown({ id, expires_at: 0 }, next);
    }
    return times;
  };

  test("in doubt, each comes within a tenth of its wait, and the last by day 14", () => {
    for (let index = 0; index < 100; index += 1) {
      const times = timesOf(`pay_${index}`);
      expect(times).toHaveLength(waits.length);
      for (const [place, time] of times.entries()) {
        const wait = waits[place] ?? 0;
        const tenth = (wait - (waits[place - 1] ?? 0)) / 10;
        expect(Math.abs(time - wait)).toBeLessThanOrEqual(Math.ceil(tenth));
      }
      expect(times.at(-1)).toBeLessThanOrEqual(14 * day);
    }
  });

  test("in doubt, attempts are asked about at different times, on both sides of the wait", () => {
    const first = Array.from({ length: 100 }, (_, index) => timesOf(`pay_${index}`)[3] ?? 0);
    expect(new Set(first).size).toBeGreaterThan(90);
    expect(Math.min(...first)).toBeLessThan(10 * minute - 10_000);
    expect(Math.max(...first)).toBeGreaterThan(10 * minute + 10_000);
  });

  test("the times depend on the attempt alone, and count from its expiry", () => {
    const [one, later] = [
      timesOf("pay_1"),
      nextCheckOfUnknown({ id: "pay_1", expires_at: now }, now),
    ];
    expect(later).toBe(now + (one[0] ?? 0));
    expect(timesOf("pay_1")).toEqual(one);
  });
});

const refund: RefundRecord = {
  store_id: "str_a",
  livemode: true,
  id: "rf_1",
  order_id: "ord_1",
  attempt_id: "pay_1",
  reference: "my-1",
  state: "pending",
  amount: 500,
  reason: null,
  moved: "by_gateway",
  gateway: "sandbox",
  account: null,
  attempt_reference: "ref",
  payment_reference: "ref",
  provider_reference: null,
  failure_reason: null,
  key_attempt: 0,
  requested_at: now,
  acknowledged: false,
  asks_first: false,
  check_at: now,
  succeeded_at: null,
  created_at: now,
  updated_at: now,
};

describe("the next action for a refund without a result", () => {
  test.each([
    [0, now + minute],
    [minute, now + 2 * minute],
    [hour, now + 2 * hour],
    [day, now + 2 * day],
    [3 * day, now + 4 * day],
  ])("at the age of %d ms the next look is at %d", (age, check_at) => {
    expect(nextRefundCheck(now, now + age)).toBe(check_at);
    expect(firstRefundCheckMs).toBe(minute);
  });

  test.each([
    [0, "rf_1"],
    [1, "rf_1.1"],
    [2, "rf_1.2"],
  ])("the key of try %d is %s", (key_attempt, key) => {
    expect(refundKey({ ...refund, key_attempt })).toBe(key);
  });

  test.each([
    ["it was never sent", { requested_at: null }, 0, true, "send"],
    ["it was never sent, and that is long ago", { requested_at: null }, 20 * day, true, "send"],
    [
      "it was acknowledged without being sent",
      { requested_at: null, acknowledged: true },
      0,
      true,
      "ask",
    ],
    ["the gateway can be asked", {}, hour, true, "ask"],
    ["a millisecond before day 14", {}, 14 * day - 1, true, "ask"],
    ["on day 14", {}, 14 * day, true, "give_up"],
    ["the gateway cannot be asked and the key lives", {}, 23 * hour - 1, false, "send"],
    ["the gateway cannot be asked and the key is over", {}, 23 * hour, false, "give_up"],
    ["the gateway has taken it and cannot be asked", { acknowledged: true }, hour, false, "wait"],
    [
      "the gateway has taken it, and the key is over",
      { acknowledged: true },
      23 * hour,
      false,
      "give_up",
    ],
  ] as const)("%s", (_name, change, age, canAsk, action) => {
    expect(nextRefundAction({ ...refund, ...change }, now + age, canAsk)).toBe(action);
  });

  test("a refund that is tried again is asked about for 14 days from then", () => {
    const again = { ...refund, requested_at: now + 20 * day };
    expect(nextRefundAction(again, now + 34 * day - 1, true)).toBe("ask");
    expect(nextRefundAction(again, now + 34 * day, true)).toBe("give_up");
  });

  test("the key lives from the time when it was first sent", () => {
    const sentLater = { ...refund, requested_at: now + 10 * hour };
    expect(nextRefundAction(sentLater, now + 33 * hour - 1, false)).toBe("send");
    expect(nextRefundAction(sentLater, now + 33 * hour, false)).toBe("give_up");
  });

  test.each([
    ["it was acknowledged", { acknowledged: true }, 0, "wait"],
    ["its key lives", {}, 23 * hour - 1, "send"],
    ["its key is over", {}, 23 * hour, "failed"],
  ] as const)("the provider knows no such refund: %s", (_name, change, age, action) => {
    expect(actionForUnknownRefund({ ...refund, ...change }, now + age)).toBe(action);
  });
});
