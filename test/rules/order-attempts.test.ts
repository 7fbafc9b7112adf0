import { describe, expect, test } from "vitest";
import { chooseAttempt } from "../../src/rules/payments/notified-attempt.ts";
import {
  attemptTime,
  currentAttempt,
  endOthers,
  hasOtherInFlight,
  hostAttempt,
  isOpen,
} from "../../src/rules/payments/order-attempt.ts";
import {
  findUnapplied,
  isSameAccount,
  newMoney,
  withReturnPlanned,
} from "../../src/rules/payments/order-money.ts";
import type { AttemptRecord, PaymentRecord } from "../../src/rules/payments/payment-records.ts";
import {
  firstAttempt as first,
  now,
  pendingOrder as order,
  paid,
} from "../payments/order-fixtures.ts";

const attempt = (id: string, changes: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...first,
  id,
  ...changes,
});
const unknown = { state: "unknown" } as const;
const failed = { state: "failed" } as const;

describe("a payment that the host's own code took", () => {
  const recorded = {
    store_id: order.store_id,
    livemode: order.livemode,
    id: "pay_9",
    order_id: order.id,
    session_id: order.session_id,
    gateway: "host",
    account: null,
    method_id: null,
    method_type: null,
    state: "succeeded",
    reference: "r1",
    payment_reference: null,
    next_action: null,
    amount: 2_000,
    currency: "BRL",
    received_amount: 2_000,
    received_currency: "BRL",
    failure_code: null,
    idempotency_key: null,
    expires_at: now,
    call_ends_at: now,
    check_at: null,
    asked: 0,
    created_at: now,
    updated_at: now,
  };
  const declined = {
    ...recorded,
    state: "failed",
    received_amount: null,
    received_currency: null,
    failure_code: "declined",
  };

  test.each([
    ["succeeded, with the order's amount", null, recorded],
    ["failed, without money", "declined", declined],
  ] as const)("%s: no gateway is asked about it", (_name, failure_code, record) => {
    const payment = { id: "pay_9", reference: "r1", failure_code, now };
    expect(hostAttempt(order, payment)).toEqual(record);
  });
});

describe("the attempts of an order", () => {
  test.each([
    ["in_flight", true],
    ["unknown", true],
    ["succeeded", false],
    ["failed", false],
    ["duplicate", false],
    ["returned", false],
  ] as const)("that are %s may still bring money: %j", (state, open) => {
    expect(isOpen(attempt("pay_1", { state }))).toBe(open);
  });

  test.each([
    ["none", [], null],
    ["the newest", ["a", "b", "c"].map((id) => attempt(id, failed)), "c"],
    ["the one in flight, before newer ones", [attempt("a"), attempt("b", failed)], "a"],
  ])("tell how the payment stands: %s", (_name, attempts, id) => {
    expect(currentAttempt(attempts)?.id ?? null).toBe(id);
  });

  test.each([
    ["the clock's, without others", [], now],
    ["the clock's, after all others", [now - 5, now - 1], now],
    ["a millisecond after one of the same time", [now], now + 1],
    ["a millisecond after the latest, when the clock went back", [now + 9, now + 5], now + 10],
  ])("have times of their own: %s", (_name, times, time) => {
    const attempts = times.map((created_at) => attempt("a", { created_at }));
    expect(attemptTime(attempts, now)).toBe(time);
  });

  test.each([
    ["itself alone", [attempt("a")], false],
    ["another one in flight", [attempt("a"), attempt("b")], true],
    ["another one without a result", [attempt("a"), attempt("b", unknown)], false],
  ])("leave the order to others: %s", (_name, attempts, hasOther) => {
    expect(hasOtherInFlight(attempts, attempt("a"))).toBe(hasOther);
  });

  test("end with an order that is settled without them, at once where they lasted longer", () => {
    const over = attempt("over", { expires_at: now - 1 });
    const lasting = attempt("lasting", { expires_at: now + 1 });
    const all = [attempt("paid"), over, lasting, attempt("done", failed)];
    const ended = { ...unknown, check_at: now, updated_at: now };
    const others = [
      { ...over, ...ended },
      { ...lasting, ...ended, expires_at: now },
    ];
    expect(endOthers(all, attempt("paid"), now)).toEqual(others);
    expect(endOthers([over, lasting], null, now)).toEqual(others);
  });
});

describe("the attempt of a gateway's message", () => {
  const sender = { gateway: "sandbox", livemode: false, account: null };
  const names = { ...sender, references: ["pi_1"], payment_id: "pay_2" };
  const one = attempt("pay_1");
  const two = attempt("pay_2");

  test.each([
    ["the one of the reference, before that of our id", [two, one], names, "pay_1", null],
    ["the one of our id alone", [two], names, "pay_2", null],
    ["the newest of the reference", [attempt("pay_3"), one], names, "pay_3", null],
    ["nothing", [], names, null, null],
    ["another gateway's", [two], { ...names, gateway: "other" }, null, "pay_2"],
    ["another mode's", [two], { ...names, livemode: true }, null, "pay_2"],
    ["another account's", [two], { ...names, account: "acct" }, null, "pay_2"],
    [
      "its own before another account's",
      [attempt("x", { account: "acct" }), two],
      names,
      "pay_2",
      null,
    ],
    [
      "the newest of other accounts",
      [attempt("x", { account: "acct" }), attempt("y", { account: "acct" })],
      names,
      null,
      "x",
    ],
  ])("is %s", (_name, found, named, own, foreign) => {
    const chosen = chooseAttempt(found, named);
    expect([chosen.attempt?.id ?? null, chosen.foreign?.id ?? null]).toEqual([own, foreign]);
    expect(chosen.rivals).toEqual([]);
  });

  const carrier = (id: string, order_id: string, changes: Partial<AttemptRecord> = {}) =>
    attempt(id, { order_id, reference: "pi_1", ...changes });
  const newer = carrier("pay_3", "ord_3");
  const named = carrier("pay_2", "ord_2");
  const ofMoney = carrier("pay_2", "ord_2", { reference: "cs_1", payment_reference: "pi_1" });
  const elsewhere = carrier("pay_2", "ord_2", { reference: "pi_9" });
  const oldest = carrier("pay_1", "ord_1");

  test.each([
    ["the one that our id names, if it carries the reference", [newer, named, oldest], "pay_2", []],
    ["so too by the reference of its money", [newer, ofMoney], "pay_2", []],
    ["the only carrier, if our id names one without it", [newer, elsewhere], "pay_3", []],
    [
      "none, if our id names no carrier of several",
      [newer, elsewhere, oldest],
      null,
      ["pay_3", "pay_1"],
    ],
    ["none, if our id is of no payment here", [newer, oldest], null, ["pay_3", "pay_1"]],
    ["the newest of one order", [carrier("pay_4", "ord_1"), oldest], "pay_4", []],
  ])("of several carriers is %s", (_name, found, own, rivals) => {
    const chosen = chooseAttempt(found, names);
    expect([chosen.attempt?.id ?? null, chosen.foreign]).toEqual([own, null]);
    expect(chosen.rivals.map(({ id }) => id)).toEqual(rivals);
  });
});

describe("money of an attempt", () => {
  const named = attempt("pay_1", { reference: "cs_1" });
  const money = (payment_reference: string, changes: Partial<PaymentRecord> = {}) => ({
    ...newMoney(
      paid,
      named,
      { reference: payment_reference, amount: 5, currency: "USD", now },
      "unapplied",
    ),
    ...changes,
  });

  test.each([
    ["by its id", [money("pi_1")], true],
    ["by what was asked for", [money("cs_1")], true],
    ["by what another attempt asked for", [money("cs_1", { attempt_id: "pay_2" })], false],
    ["by another id", [money("pi_2")], false],
    ["that pays already", [money("pi_1", { state: "booked" })], false],
    ["that is on its way back", [money("pi_1", { state: "returning" })], false],
    ["of another account", [money("pi_1", { account: "acct" })], false],
    ["of another gateway", [money("pi_1", { gateway: "other" })], false],
  ])("that pays nothing so far is found or not: %s", (_name, payments, isFound) => {
    expect(findUnapplied(payments, named, "pi_1") !== undefined).toBe(isFound);
  });

  test("that is reported again keeps its record, and what went back of it", () => {
    const sent_back = [{ reference: "re_1", amount: 5, state: "succeeded" as const }];
    const before = money("cs_1", { sent_back, created_at: now - 5 });
    const received = { reference: "pi_1", amount: 2_000, currency: "BRL", now: now + 1 };
    expect(newMoney({ ...paid, payments: [before] }, named, received, "booked")).toEqual({
      ...before,
      payment_reference: "pi_1",
      state: "booked",
      amount: 2_000,
      currency: "BRL",
      updated_at: now + 1,
    });
  });

  test("that is new is recorded in full", () => {
    const received = { reference: "pi_1", amount: 2_000, currency: "BRL", now };
    expect(newMoney({ ...paid, payments: [] }, named, received, "duplicate")).toEqual({
      store_id: order.store_id,
      livemode: order.livemode,
      id: "pay_1",
      gateway: "sandbox",
      account: null,
      payment_reference: "pi_1",
      attempt_id: "pay_1",
      order_id: order.id,
      state: "duplicate",
      amount: 2_000,
      currency: "BRL",
      sent_back: [],
      return: null,
      check_at: null,
      created_at: now,
      updated_at: now,
    });
  });

  test("that maintenance sends back waits ten minutes", () => {
    const planned = withReturnPlanned(money("pi_1"));
    expect(planned).toEqual({ ...money("pi_1"), check_at: now + 600_000 });
  });

  test.each([
    ["gateway and account", {}, true],
    ["gateway", { account: "acct" }, false],
    ["account", { gateway: "other" }, false],
  ])("is of one account by the same %s", (_name, changes, isSame) => {
    expect(isSameAccount(named, { ...named, ...changes })).toBe(isSame);
  });
});
