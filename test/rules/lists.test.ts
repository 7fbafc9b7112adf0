import { describe, expect, test } from "vitest";
import { firstIdAt } from "../../src/domain/keys/ids.ts";
import { isAcceptedOrigin, isRefusedLocalTest } from "../../src/rules/checkout/accepted-origin.ts";
import { secondsToNextDay, startOfDay } from "../../src/rules/checkout/session-day.ts";
import {
  acknowledged,
  disputeStatus,
  orderOfEvent,
  type SessionFilter,
  type StoredSessions,
  storedSessions,
  usesCoupon,
} from "../../src/rules/owner/list-records.ts";
import type { AccessRecord } from "../../src/rules/records.ts";
import { alertOf, now, order } from "./refund-fixtures.ts";

const minute = 60_000;

describe("the stored sessions of a filter", () => {
  const any: StoredSessions = {
    stored: ["open", "complete"],
    expires_after: null,
    expired_by: null,
    first_id: null,
    end_id: null,
  };
  const from = now - 10 * minute;
  const ids = (time: number) => firstIdAt("cs", time);
  // A session lives for 30 minutes, and its id is from within a minute of its row.
  const recent = { created_from: now - 30 * minute, first_id: ids(now - 31 * minute) };

  test.each<[string, Omit<SessionFilter, "now">, Partial<StoredSessions>]>([
    ["all", {}, {}],
    ["complete", { status: "complete" }, { stored: ["complete"] }],
    ["expired", { status: "expired" }, { stored: ["open"], expired_by: now }],
    ["open", { status: "open" }, { stored: ["open"], expires_after: now, ...recent }],
    [
      "from a time on",
      { created_from: from },
      { created_from: from, first_id: ids(from - minute) },
    ],
    ["before a time", { created_to: from }, { created_to: from, end_id: ids(from + minute) }],
    [
      "open, from a time on",
      { status: "open", created_from: from },
      {
        stored: ["open"],
        expires_after: now,
        created_from: from,
        first_id: ids(from - minute),
      },
    ],
    [
      "open, from a time on when no open one was made",
      { status: "open", created_from: 5, created_to: from },
      {
        stored: ["open"],
        expires_after: now,
        ...recent,
        created_to: from,
        end_id: ids(from + minute),
      },
    ],
    [
      "complete, from a time on",
      { status: "complete", created_from: from },
      { stored: ["complete"], created_from: from, first_id: ids(from - minute) },
    ],
  ])("%s", (_name, filter, stored) => {
    expect(storedSessions({ ...filter, now })).toEqual({ ...any, ...stored });
  });
});

test.each([
  ["held", "cpn_1", true],
  ["consumed", "cpn_1", true],
  ["none", "cpn_1", false],
  ["held", "cpn_2", false],
] as const)("an order with its goods %s uses the coupon %s: %j", (holds, coupon_id, uses) => {
  expect(usesCoupon({ ...order, coupon_id: "cpn_1", holds }, coupon_id)).toBe(uses);
});

test.each([
  [null, "open"],
  ["won", "won"],
  ["lost", "lost"],
] as const)("a dispute with the outcome %j is %s", (outcome, status) => {
  expect(disputeStatus({ outcome })).toBe(status);
});

test("an alert is acknowledged once, by whoever was first", () => {
  const alert = alertOf({
    id: "alr_1",
    type: "oversold",
    subject: "ord_1",
    data: {},
    created_at: now,
  });
  const open = { ...alert, acknowledged_at: null, acknowledged_by: null };
  const done = { ...alert, acknowledged_at: now, acknowledged_by: "ana" };
  expect(acknowledged(open, "ana", now)).toEqual(done);
  expect(acknowledged(done, "bob", now + 1)).toEqual(done);
});

test.each([
  [{ data: { order: { id: "ord_1" } } }, "ord_1"],
  [{ data: { order: null } }, null],
  [{ data: {} }, null],
  [{}, null],
])("the order of the event %j is %j", (event, id) => {
  expect(orderOfEvent(JSON.stringify(event))).toBe(id);
});

const day = 86_400_000;
test.each([
  ["its first millisecond", 0, 86_400],
  ["its first second", 1, 86_400],
  ["its second second", 1_000, 86_399],
  ["its last second", day - 1_000, 1],
  ["its last millisecond", day - 1, 1],
])("a day ends so many seconds after %s", (_name, since, seconds) => {
  const start = Date.UTC(2026, 1, 28);
  expect(startOfDay(start + since)).toBe(start);
  expect(secondsToNextDay(start + since)).toBe(seconds);
});

describe("a page on the developer's own machine", () => {
  const access = (livemode: boolean, localhost_origins?: boolean) =>
    ({
      key: { livemode },
      store: { localhost_origins },
      origins: ["https://shop.example.com"],
    }) as unknown as AccessRecord;

  test.each([
    ["http://localhost", true],
    ["http://localhost:3000", true],
    ["http://127.0.0.1:65535", true],
    ["http://[::1]:80", true],
    ["https://localhost:3000", false],
    ["http://localhost:", false],
    ["http://localhost:123456", false],
    ["http://localhost.example.com", false],
    ["http://127.0.0.2", false],
    ["http://127x0.0.1", false],
    ["x-http://localhost", false],
    ["http://localhost:3000/path", false],
    ["null", false],
  ])("%s: %j", (origin, isLocal) => {
    expect(isAcceptedOrigin(access(false, true), origin)).toBe(isLocal);
    expect(isRefusedLocalTest(access(false), origin)).toBe(isLocal);
    expect(isAcceptedOrigin(access(false), origin)).toBe(false);
    expect(isAcceptedOrigin(access(false, false), origin)).toBe(false);
    expect(isAcceptedOrigin(access(true, true), origin)).toBe(false);
    expect(isRefusedLocalTest(access(true), origin)).toBe(false);
  });

  test("is not needed for an origin of the store", () => {
    expect(isAcceptedOrigin(access(true), "https://shop.example.com")).toBe(true);
    expect(isAcceptedOrigin(access(true), "https://shop.example.com.evil.example")).toBe(false);
  });
});
