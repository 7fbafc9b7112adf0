import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { Completion } from "../../src/rules/orders/order-commands.ts";
import { decideCompletion } from "../../src/rules/orders/order-completion.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { newMoney } from "../../src/rules/payments/order-money.ts";
import type { AttemptRecord } from "../../src/rules/payments/payment-records.ts";
import {
  base,
  completion,
  coupon,
  dataOf,
  failed,
  firstAttempt as first,
  fresh,
  held,
  idle,
  now,
  pendingOrder as order,
  paid,
  pending,
  session,
  stock,
  types,
} from "../payments/order-fixtures.ts";

describe("a payment that the host reports", () => {
  const report = (changes: Partial<Completion> = {}): Completion => ({ ...completion, ...changes });
  const attempt = (changes: Partial<AttemptRecord>): OrderSnapshot => ({
    ...pending,
    attempts: [{ ...first, ...changes }],
  });
  const money = (state: "booked" | "unapplied", reference = "r1") =>
    newMoney(paid, first, { reference, amount: 5, currency: "BRL", now }, state);

  test.each<[string, OrderSnapshot, Completion, string]>([
    ["of an unknown session", { ...pending, session: null }, report(), "unknown_session"],
    ["that another order has", { ...pending, elsewhere: [first] }, report(), "reference_taken"],
    ["that has come as money", { ...pending, payments: [money("booked")] }, report(), "unchanged"],
    [
      "that has come with a wrong amount",
      { ...pending, payments: [money("unapplied")] },
      report(),
      "paid",
    ],
    [
      "of money by another name",
      { ...pending, payments: [money("booked", "r2")] },
      report(),
      "paid",
    ],
    [
      "of an attempt that is paid",
      attempt({ state: "succeeded", reference: "r1" }),
      report(),
      "unchanged",
    ],
    [
      "of an attempt that has failed",
      attempt({ state: "failed", reference: "r1" }),
      report(),
      "paid",
    ],
    [
      "as failed, of an attempt that has failed",
      attempt({ state: "failed", reference: "r1" }),
      report({ status: "failed" }),
      "unchanged",
    ],
    [
      "as failed, of an attempt in flight",
      attempt({ reference: "r1" }),
      report({ status: "failed" }),
      "failed",
    ],
    ["of a wrong amount", pending, report({ amount: 1_999 }), "mismatch"],
    ["in another currency", pending, report({ currency: "USD" }), "mismatch"],
    ["of a wrong amount, without an order", fresh, report({ amount: 1_999 }), "mismatch"],
    [
      "as failed, when the session's time is over",
      fresh,
      report({ status: "failed", now: session.expires_at }),
      "session_expired",
    ],
    [
      "as failed, in the session's last millisecond",
      fresh,
      report({ status: "failed", now: session.expires_at - 1 }),
      "failed",
    ],
    ["as failed, of an order that is paid", paid, report({ status: "failed" }), "unchanged"],
    ["as failed, of an order that has failed", failed, report({ status: "failed" }), "unchanged"],
  ])("%s: %s", (_name, snapshot, command, outcome) => {
    expect(decideCompletion(snapshot, command).result.outcome).toBe(outcome);
  });

  test.each([
    ["the call's own", { id: "pay_9", reference: "x" }],
    ["that asked by the reference", { reference: "r1" }],
    ["whose money has the reference", { reference: "x", payment_reference: "r1" }],
  ])("settles the attempt %s", (_name, changes) => {
    const snapshot = attempt({ ...changes, received_amount: null, check_at: now });
    const decision = decideCompletion(snapshot, report());
    expect(decision.changes?.attempts).toEqual([
      {
        ...snapshot.attempts[0],
        state: "succeeded",
        failure_code: null,
        received_amount: 2_000,
        received_currency: "BRL",
        check_at: null,
        updated_at: completion.now,
      },
    ]);
  });

  test("settles the newest attempt that carries the reference", () => {
    const attempts = ["pay_1", "pay_2"].map((id) => ({ ...first, id, reference: "r1" }));
    const decision = decideCompletion({ ...pending, attempts }, report());
    expect(decision.changes?.attempts).toMatchObject([
      { id: "pay_2", state: "succeeded" },
      { id: "pay_1", state: "unknown" },
    ]);
  });

  test("settles the attempt whose money came with a wrong amount", () => {
    const other = { ...money("unapplied", "r0"), id: "pay_0", attempt_id: "pay_0" };
    const snapshot = { ...pending, payments: [other, money("unapplied")] };
    const decision = decideCompletion(snapshot, report());
    expect(decision.changes).toMatchObject({
      attempts: [{ id: "pay_1", state: "succeeded" }],
      payments: [{ id: "pay_1", state: "booked", amount: 2_000, payment_reference: "r1" }],
    });
  });

  test("of an unknown attempt is recorded after those before", () => {
    const later = { ...first, state: "failed", created_at: completion.now + 5 } as const;
    const decision = decideCompletion({ ...pending, attempts: [later] }, report());
    expect(decision.changes).toMatchObject({
      attempts: [
        {
          id: "pay_9",
          gateway: "host",
          reference: "r1",
          created_at: completion.now + 6,
          updated_at: completion.now,
        },
      ],
      payments: [
        {
          id: "pay_9",
          gateway: "host",
          payment_reference: "r1",
          state: "booked",
          created_at: completion.now,
        },
      ],
    });
  });

  test("tells who bought, and how", () => {
    const buyer = { ...base.buyer, email: "b@example.com" };
    const known = decideCompletion(pending, report({ buyer, payment_method_type: "card" }));
    expect(known.changes?.order).toMatchObject({
      customer: { email: "b@example.com" },
      payment_method_type: "card",
    });
    expect(decideCompletion(pending, report()).changes?.order?.payment_method_type).toBe("pix");
    const fromNothing = decideCompletion(fresh, report({ payment_method_type: "card" }));
    expect(fromNothing.changes?.order?.payment_method_type).toBe("card");
  });

  test("of an order that is paid is a duplicate by its own reference", () => {
    const decision = decideCompletion(paid, report());
    expect(decision.changes).toMatchObject({
      attempts: [{ id: "pay_9", state: "duplicate" }],
      payments: [{ id: "pay_9", state: "duplicate", payment_reference: "r1" }],
      alerts: [{ id: "alr_1", type: "duplicate_payment", subject: "pay_9" }],
    });
  });

  test.each([
    ["with its code", { failure_code: "fraud" }, "fraud"],
    ["without a code", {}, "declined"],
  ] as const)("as the session's first that failed makes an order that failed, %s", (...row) => {
    const [, changes, code] = row;
    const decision = decideCompletion(fresh, report({ status: "failed", ...changes }));
    expect(decision.result).toMatchObject({
      outcome: "failed",
      order: { status: "failed", failure_code: code, sweep_at: null },
    });
    expect(decision.changes).toMatchObject({
      session: null,
      stock: [],
      order: { holds: "none", reserved: false },
      attempts: [{ id: "pay_9", state: "failed", failure_code: code, received_amount: null }],
    });
    expect(types(decision)).toEqual(["order.created", "order.failed"]);
    expect(dataOf(decision, 0)).toMatchObject({
      order: { status: "pending", failure_code: null },
      previous_status: null,
    });
    expect(dataOf(decision, 1)).toMatchObject({ previous_status: "pending" });
  });

  test("as failed writes its attempt where the order stays as it is", () => {
    for (const snapshot of [paid, failed, pending]) {
      const decision = decideCompletion(snapshot, report({ status: "failed" }));
      expect(decision.changes).toEqual(
        orderChanges({
          order: snapshot.order,
          attempts: [expect.objectContaining({ id: "pay_9", state: "failed" })],
        }),
      );
    }
  });

  test("as failed fails a pending order, with what is known of the buyer", () => {
    const buyer = { ...base.buyer, email: "b@example.com" };
    const command = report({ status: "failed", buyer, settled_later: true });
    const decision = decideCompletion({ ...idle, order: { ...order, reserved: true } }, command);
    expect(decision.changes).toMatchObject({
      order: {
        status: "failed",
        failure_code: "declined",
        sweep_at: completion.now,
        customer: { email: "b@example.com" },
      },
      attempts: [{ id: "pay_9", state: "failed" }],
      stock: stock(0, -2),
    });
  });

  test.each([
    [
      "others hold too many",
      { stock: new Map([["a", { stock: 3, held: 2, counted: true }]]) },
      false,
      true,
    ],
    [
      "the storage has too few",
      { stock: new Map([["a", { stock: 1, held: 0, counted: true }]]) },
      false,
      true,
    ],
    ["the host's catalog has too few", {}, true, true],
    ["there are enough", {}, false, false],
  ])("of pieces of which %s is taken", (_name, changes, short_at_source, isTold) => {
    const decision = decideCompletion({ ...fresh, ...changes }, report({ short_at_source }));
    expect(decision.result.outcome).toBe("paid");
    expect(decision.changes?.alerts).toEqual(
      isTold
        ? [
            {
              id: "alr_1",
              store_id: order.store_id,
              livemode: order.livemode,
              type: "oversold",
              subject: "ord_1",
              data: { order_id: "ord_1" },
              created_at: completion.now,
            },
          ]
        : [],
    );
    expect(decision.changes?.stock).toEqual(
      held.map((change) => ({ ...change, stock_delta: -2, held_delta: 0, guarded: false })),
    );
  });

  test.each([
    ["has none left", { used: 5 }, true],
    ["has its last one", { used: 4 }, false],
  ])("with a coupon that %s counts its use", (_name, uses, isTold) => {
    const decision = decideCompletion({ ...fresh, coupon: { ...coupon, ...uses } }, report());
    expect(decision.changes?.coupons).toMatchObject([{ used_delta: 1, guarded: false }]);
    const data = { order_id: "ord_1", coupon_id: "cpn_1" };
    expect(decision.changes?.alerts).toMatchObject(
      isTold ? [{ id: "alr_2", type: "coupon_overused", subject: "ord_1", data }] : [],
    );
    expect(decision.changes?.alerts).toHaveLength(isTold ? 1 : 0);
  });

  test("makes its order as pending first", () => {
    const decision = decideCompletion(fresh, report());
    expect(dataOf(decision, 0)).toMatchObject({
      order: { id: "ord_1", number: 7, status: "pending", amount_total: 2_000 },
      previous_status: null,
    });
  });

  test("without a coupon raises no alert about one", () => {
    const snapshot = { ...fresh, coupon: null, session: { ...session, coupon_id: null } };
    expect(decideCompletion(snapshot, report()).changes).toMatchObject({ coupons: [], alerts: [] });
  });
});
