import { describe, expect, test } from "vitest";
import {
  readAttempt,
  readDispute,
  readPayment,
  readRefund,
} from "../../src/rules/payments/stored-payments.ts";
import { attempt, booked, now, refundOf, where } from "./refund-fixtures.ts";

/** The row as an older version wrote it, without these fields. */
const without = (row: object, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

describe("an attempt that an older version wrote", () => {
  const full = {
    ...attempt,
    account: "acct_1",
    payment_reference: "pi_1",
    next_action: { type: "redirect", url: "https://a.b" },
    received_amount: 5,
    received_currency: "USD",
    asked: 3,
    method_type: "pix",
    call_ends_at: now + 9,
  } as const;
  const old = without(
    full,
    "account",
    "payment_reference",
    "next_action",
    "received_amount",
    "received_currency",
    "asked",
    "method_type",
    "call_ends_at",
  );
  const read = {
    ...old,
    account: null,
    payment_reference: null,
    next_action: null,
    received_amount: null,
    received_currency: null,
    asked: 0,
    method_type: null,
    call_ends_at: attempt.created_at,
  };
  const redirect = { type: "redirect", url: "https://old.example.com" };

  test.each<[string, object, object]>([
    ["in full stays so", full, full],
    ["without the later fields gets them", old, read],
    ["with a redirect", { ...old, redirect_url: redirect.url }, { ...read, next_action: redirect }],
    ["without a redirect", { ...old, redirect_url: null }, read],
  ])("%s", (_name, row, attempt_read) => {
    expect(readAttempt(JSON.stringify(row))).toEqual(attempt_read);
  });
});

describe("money that an older version wrote", () => {
  const sent_back = [{ reference: "re_1", amount: 5, state: "failed" }];
  const whole = [{ reference: null, amount: 2_000, state: "succeeded" }];

  test.each([
    ["has its refunds", { ...booked, sent_back }, sent_back],
    ["was not sent back", without(booked, "sent_back"), []],
    ["went back whole", { ...without(booked, "sent_back"), state: "returned" }, whole],
    ["went back, with its refunds", { ...booked, sent_back, state: "returned" }, sent_back],
  ])("%s", (_name, row, refunds) => {
    expect(readPayment(JSON.stringify(row))).toEqual({ ...row, sent_back: refunds });
  });
});

describe("a refund that an older version wrote", () => {
  const full = refundOf("a", {
    state: "succeeded",
    moved: "by_host",
    account: "acct_1",
    provider_reference: "re_1",
    failure_reason: "x",
    key_attempt: 2,
    requested_at: now + 1,
    acknowledged: false,
    succeeded_at: now + 2,
    updated_at: now + 3,
  });
  const old = without(
    full,
    "attempt_id",
    "moved",
    "account",
    "attempt_reference",
    "provider_reference",
    "failure_reason",
    "key_attempt",
    "acknowledged",
    "requested_at",
    "succeeded_at",
  );
  const read = {
    ...old,
    attempt_id: null,
    moved: "by_gateway",
    account: null,
    attempt_reference: "money",
    provider_reference: null,
    failure_reason: null,
    key_attempt: 0,
    acknowledged: false,
    requested_at: null,
    succeeded_at: null,
  };

  test.each<[string, object, object]>([
    ["in full stays so", full, full],
    [
      "that succeeded was acknowledged, when it was last written",
      old,
      { ...read, acknowledged: true, succeeded_at: now + 3 },
    ],
    ["that failed was not", { ...old, state: "failed" }, { ...read, state: "failed" }],
    [
      "that was reserved is pending, and was sent at its creation",
      { ...old, state: "reserved" },
      { ...read, state: "pending", requested_at: now },
    ],
    ["that is pending was not sent", { ...old, state: "pending" }, { ...read, state: "pending" }],
    [
      "without a gateway was moved by the host",
      { ...old, state: "failed", gateway: null },
      { ...read, state: "failed", gateway: null, moved: "by_host" },
    ],
  ])("%s", (_name, row, refund) => {
    expect(readRefund(JSON.stringify(row))).toEqual(refund);
  });
});

test.each([
  ["in full", { payment_reference: "pi_1", notified: true }],
  ["without the later fields", {}],
])("a dispute that an older version wrote, %s", (_name, fields) => {
  const row = { ...where, id: "dp_1", amount: 5, ...fields };
  expect(readDispute(JSON.stringify(row))).toEqual({
    payment_reference: null,
    notified: false,
    ...row,
  });
});
