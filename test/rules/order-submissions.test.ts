import { describe, expect, test } from "vitest";
import type { Submission } from "../../src/rules/orders/order-commands.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { decideSubmission } from "../../src/rules/orders/order-submission.ts";
import type { AttemptRecord } from "../../src/rules/payments/payment-records.ts";
import type { SessionRecord } from "../../src/rules/records.ts";
import {
  base,
  coupon,
  failed,
  firstAttempt as first,
  fresh,
  idle,
  now,
  pendingOrder as order,
  paid,
  pending,
  session,
  submission,
  types,
} from "../payments/order-fixtures.ts";

const minute = 60_000;
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
