import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/order-changes.ts";
import { decideClosing, decideFailing } from "../../src/rules/order-closing.ts";
import type { Closing, Completion, Failing, Submission } from "../../src/rules/order-commands.ts";
import { decideCompletion } from "../../src/rules/order-completion.ts";
import { newMoney } from "../../src/rules/order-money.ts";
import type { OrderSnapshot } from "../../src/rules/order-snapshot.ts";
import { decideSubmission } from "../../src/rules/order-submission.ts";
import type { AttemptRecord } from "../../src/rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../src/rules/records.ts";
import {
  base,
  completion,
  coupon,
  dataOf,
  failed,
  fresh,
  held,
  now,
  paid,
  pending,
  session,
  stock,
  submission,
  types,
} from "../payments/order-fixtures.ts";

const minute = 60_000;
const order = pending.order as OrderRecord;
const first = pending.attempts[0] as AttemptRecord;
const idle: OrderSnapshot = { ...pending, attempts: [] };
const key = coupon.customer_key;

describe("a submission", () => {
  const submit = (changes: Partial<Submission> = {}): Submission => ({ ...submission, ...changes });
  const again = (changes: Partial<Submission["attempt"]> = {}, rest: Partial<Submission> = {}) =>
    submit({ attempt: { ...submission.attempt, id: "pay_2", ...changes }, ...rest });

  test("begins an attempt that is asked about once its call is over", () => {
    const { result } = decideSubmission(fresh, submission);
    expect(result).toMatchObject({
      attempt: {
        ...submission.attempt,
        store_id: session.store_id,
        livemode: session.livemode,
        order_id: "ord_1",
        session_id: session.id,
        state: "in_flight",
        method_type: "pix",
        reference: null,
        payment_reference: null,
        next_action: null,
        received_amount: null,
        received_currency: null,
        failure_code: null,
        asked: 0,
        call_ends_at: base.now + 150_000,
        check_at: base.now + 150_000,
        created_at: base.now,
        updated_at: base.now,
      },
    });
  });

  test("makes the whole order of the session", () => {
    const decision = decideSubmission(fresh, submit({ external_stock: true }));
    const { lines, ...cart } = session;
    expect(decision.changes?.order).toEqual({
      store_id: cart.store_id,
      livemode: cart.livemode,
      id: "ord_1",
      number: 0,
      status: "pending",
      session_id: cart.id,
      subscription_id: null,
      currency: "BRL",
      amount_subtotal: 2_000,
      amount_discount: 0,
      amount_total: 2_000,
      amount_refunded: 0,
      amount_refunding: 0,
      coupon_id: "cpn_1",
      coupon_code: "CODE",
      coupon_key: key,
      items: lines.map(({ recurring: _recurring, ...line }, index) => ({
        ...line,
        id: `oi_${index + 1}`,
      })),
      customer: { ...base.buyer, id: "cus_1", email: "Ana@Example.com" },
      payment_method_type: "pix",
      failure_code: null,
      metadata: { seen: true },
      holds: "held",
      reserved: true,
      sweep_at: cart.expires_at,
      period_start: null,
      in_stats: true,
      status_before_dispute: null,
      created_at: base.now,
      updated_at: base.now,
      paid_at: null,
      refunded_at: null,
      disputed_at: null,
    });
  });

  const complete = { ...fresh, session: { ...session, status: "complete" } as SessionRecord };

  test.each<[string, OrderSnapshot, Submission, string]>([
    ["of a session that is complete", complete, submission, "session_not_open"],
    [
      "in the session's last millisecond",
      fresh,
      submit({ now: session.expires_at - 1 }),
      "submitted",
    ],
    [
      "when the session's time is over",
      fresh,
      submit({ now: session.expires_at }),
      "session_expired",
    ],
    [
      "of a product that is sold no more",
      { ...fresh, offered: new Set() },
      submission,
      "product_unavailable",
    ],
    [
      "of what the host's catalog has not",
      fresh,
      submit({ from_source: "insufficient_stock" }),
      "insufficient_stock",
    ],
    [
      "of a buyer without a name, with a coupon for each customer once",
      { ...fresh, coupon: { ...coupon, max_uses_per_customer: 1, customer_key: "new:cus_1" } },
      submission,
      "coupon_invalid",
    ],
    [
      "of goods that its order holds, whatever is left",
      { ...idle, coupon: null, stock: new Map([["a", { stock: 0, held: 2, counted: true }]]) },
      again(),
      "submitted",
    ],
  ])("%s: %s", (_name, snapshot, command, outcome) => {
    const decision = decideSubmission(snapshot, command);
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes === null).toBe(outcome !== "submitted");
  });

  const hold = { until: now + minute, token: "t", coupon_key: key, address: "203.0.113.7" };
  const holding = (coupon_key: string): OrderSnapshot => ({
    ...fresh,
    stock: new Map([["a", { stock: 0, held: 2, counted: true }]]),
    session: { ...session, hold: { ...hold, coupon_key }, sweep_at: hold.until },
  });

  test("takes over what the session holds, and frees the place of its address", () => {
    const decision = decideSubmission(holding(key), submission);
    expect(decision.changes).toMatchObject({
      session: { hold: null, sweep_at: null, payment_status: "pending" },
      order: { holds: "held", coupon_key: key },
      stock: [],
      coupons: [],
      open_hold: { address: "203.0.113.7", delta: -1 },
    });
  });

  test("of a hold for another customer is refused when the coupon is used up for this one", () => {
    const used = { ...coupon, max_uses_per_customer: 1, used_by_customer: 1 };
    const decision = decideSubmission({ ...holding("email:x@y.z"), coupon: used }, submission);
    expect(decision).toEqual({ result: { outcome: "coupon_invalid" }, changes: null });
  });

  test("for an order that holds its goods keeps its coupon's customer and writes no event", () => {
    const buyer = { ...base.buyer, email: "new@example.com" };
    const other = { ...coupon, customer_key: "email:new@example.com" };
    const decision = decideSubmission({ ...idle, coupon: other }, again({}, { buyer }));
    expect(decision.changes).toMatchObject({
      order: { coupon_key: key, customer: { email: "new@example.com" } },
      coupons: [],
      stock: [],
      open_hold: null,
    });
    expect(types(decision)).toEqual([]);
  });

  test("without a coupon counts for nobody", () => {
    const snapshot = { ...fresh, coupon: null, session: { ...session, coupon_id: null } };
    const decision = decideSubmission(snapshot, submission);
    expect(decision.changes).toMatchObject({ order: { coupon_key: null }, coupons: [] });
  });

  const keyed = (idempotency_key: string | null, changes: Partial<AttemptRecord> = {}) => ({
    ...pending,
    attempts: [{ ...first, idempotency_key, ...changes }],
  });
  const replaces = { attempt_id: "pay_1", reference: null, failure_code: "canceled" } as const;

  test.each<[string, OrderSnapshot, Submission, string]>([
    [
      "of the same key",
      keyed("k"),
      again({ idempotency_key: "k", method_id: "pm_2" }),
      "attempted",
    ],
    [
      "of the same key, after it failed",
      keyed("k", { state: "failed" }),
      again({ idempotency_key: "k" }),
      "attempted",
    ],
    ["without keys, after it failed", keyed(null, { state: "failed" }), again(), "submitted"],
    [
      "of another key, after it failed",
      keyed("k", { state: "failed" }),
      again({ idempotency_key: "l" }),
      "submitted",
    ],
    ["of the same method", pending, again(), "attempted"],
    ["of another method", pending, again({ method_id: "pm_2" }), "to_cancel"],
    [
      "of another method, in the session's last millisecond",
      pending,
      again({ method_id: "pm_2" }, { now: session.expires_at - 1 }),
      "to_cancel",
    ],
    [
      "of another method, when the session's time is over",
      pending,
      again({ method_id: "pm_2" }, { now: session.expires_at }),
      "attempted",
    ],
    [
      "of another method, of a session that is complete",
      { ...pending, session: { ...session, status: "complete" } },
      again({ method_id: "pm_2" }),
      "attempted",
    ],
    [
      "that replaces an attempt which another one has replaced",
      pending,
      again({ method_id: "pm_2" }, { replaces: { ...replaces, attempt_id: "pay_0" } }),
      "attempted",
    ],
    [
      "that replaces the attempt in flight",
      pending,
      again({ method_id: "pm_2" }, { replaces }),
      "submitted",
    ],
    ["of an order that is paid", paid, again(), "already_paid"],
  ])("beside an earlier one, %s: %s", (_name, snapshot, command, outcome) => {
    const decision = decideSubmission(snapshot, command);
    expect(decision.result.outcome).toBe(outcome);
    if (outcome === "attempted" || outcome === "to_cancel")
      expect(decision.result).toMatchObject({ order, attempt: { id: "pay_1" } });
  });

  test.each([
    ["the provider's id", "txid", "txid"],
    ["no id", null, "ref"],
  ])("ends the attempt that it replaces, with %s", (_name, reference, kept) => {
    const before = { ...first, reference: "ref" };
    const command = again({}, { replaces: { ...replaces, reference }, now: now + minute });
    const decision = decideSubmission({ ...pending, attempts: [before] }, command);
    expect(decision.changes?.attempts).toMatchObject([
      {
        ...before,
        state: "failed",
        reference: kept,
        failure_code: "canceled",
        check_at: null,
        updated_at: now + minute,
      },
      { id: "pay_2", state: "in_flight" },
    ]);
  });

  test("that replaces an attempt which has ended meanwhile begins its own alone", () => {
    const decision = decideSubmission(failed, again({}, { replaces }));
    expect(decision.changes?.attempts.map(({ id }) => id)).toEqual(["pay_2"]);
  });

  test("keeps the buyer's choices of each line", () => {
    const lines = session.lines.map((line) => ({ ...line, variables: { size: "M" } }));
    const decision = decideSubmission({ ...fresh, session: { ...session, lines } }, submission);
    const chosen = decision.changes?.order?.items.map(({ variables }) => variables);
    expect(chosen).toEqual(lines.map(({ variables }) => variables));
  });

  test("of a free order is guarded, and takes part in no gateway", () => {
    const free = { ...fresh, session: { ...session, amount_total: 0 } };
    const decision = decideSubmission(free, submission);
    expect(decision.changes).toMatchObject({
      order: { status: "paid", holds: "consumed", payment_method_type: "pix" },
      attempts: [],
      payments: [],
      coupons: [{ used_delta: 1, guarded: true }],
      open_hold: null,
    });
    expect(decision.changes?.stock).toMatchObject([{ guarded: true }, { guarded: true }]);
  });
});

describe("the end of a session's payment", () => {
  const close = (changes: Partial<Closing> = {}): Closing => ({
    ...base,
    reason: "canceled",
    close_session: false,
    ...changes,
  });
  const closed = { ...session, expires_at: base.now };

  test.each<[string, OrderSnapshot, Closing, string, SessionRecord | null]>([
    ["of an unknown session", { ...fresh, session: null }, close(), "unknown_session", null],
    ["without an order", fresh, close(), "no_order", null],
    [
      "without an order, closes the session",
      fresh,
      close({ close_session: true }),
      "no_order",
      closed,
    ],
    [
      "of a session that has expired closes nothing more",
      fresh,
      close({ close_session: true, now: session.expires_at }),
      "no_order",
      null,
    ],
    [
      "in the session's last millisecond",
      fresh,
      close({ close_session: true, now: session.expires_at - 1 }),
      "no_order",
      { ...session, expires_at: session.expires_at - 1 },
    ],
    ["of a session that is complete", paid, close({ close_session: true }), "unchanged", null],
    ["of an order that has failed", failed, close(), "unchanged", null],
    ["with a payment in flight", pending, close(), "in_flight", null],
    [
      "by time, before it is over",
      idle,
      close({ reason: "expired", now: session.expires_at - 1 }),
      "unchanged",
      null,
    ],
  ])("%s: %s", (_name, snapshot, command, outcome, written) => {
    const decision = decideClosing(snapshot, command);
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes).toEqual(written && orderChanges({ session: written }));
  });

  test.each([
    ["by time, once it is over", close({ reason: "expired", now: session.expires_at }), "expired"],
    ["by the buyer", close(), "canceled"],
    [
      "by the host, who closes it now",
      close({ reason: "expired", close_session: true }),
      "expired",
    ],
  ])("%s: the order fails and gives back what it held", (_name, command, code) => {
    const decision = decideClosing(idle, command);
    expect(decision.result).toMatchObject({
      outcome: "closed",
      order: { status: "failed", failure_code: code, holds: "none", sweep_at: null },
    });
    const expires_at = command.close_session ? command.now : session.expires_at;
    expect(decision.changes).toMatchObject({
      session: { expires_at, payment_status: "unpaid" },
      attempts: [],
      stock: stock(0, -2),
      coupons: [{ used_delta: -1, customer_key: key, guarded: false }],
    });
    expect(types(decision)).toEqual(["order.failed"]);
  });

  const fail = (changes: Partial<Failing> = {}): Failing => ({
    store_id: order.store_id,
    livemode: order.livemode,
    order_id: order.id,
    failure_code: "fraud",
    ids: base.ids,
    now: base.now,
    ...changes,
  });

  test.each<[string, OrderSnapshot, string]>([
    ["of an unknown order", { ...pending, order: null }, "unknown_order"],
    ["of an order that has failed", failed, "unchanged"],
    ["of an order that is paid", paid, "invalid_transition"],
  ])("by the host, %s: %s", (_name, snapshot, outcome) => {
    const decision = decideFailing(snapshot, fail());
    expect([decision.result.outcome, decision.changes]).toEqual([outcome, null]);
  });

  test.each([
    ["within a minute by its caller", false, base.now + minute],
    ["by the next maintenance", true, base.now],
  ])(
    "by the host ends the attempts in flight, and settles pieces %s",
    (_name, settled_later, at) => {
      const snapshot = { ...pending, order: { ...order, reserved: true } };
      const decision = decideFailing(snapshot, fail({ settled_later }));
      expect(decision.result).toMatchObject({
        outcome: "failed",
        order: { status: "failed", failure_code: "fraud", sweep_at: at },
      });
      expect(decision.changes).toMatchObject({
        attempts: [{ id: "pay_1", state: "unknown", check_at: base.now, expires_at: base.now }],
        stock: stock(0, -2),
      });
      expect(dataOf(decision, 0)).toMatchObject({ previous_status: "pending" });
    },
  );

  test("by the host of an order that holds nothing gives nothing back", () => {
    const snapshot = { ...idle, order: { ...order, holds: "none" as const } };
    expect(decideFailing(snapshot, fail()).changes).toMatchObject({ stock: [], coupons: [] });
  });

  test("by the host of an order without a session leaves none", () => {
    expect(decideFailing({ ...idle, session: null }, fail()).changes?.session).toBeNull();
  });
});

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
