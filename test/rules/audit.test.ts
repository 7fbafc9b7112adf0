import { describe, expect, test } from "vitest";
import type { AuditedChange, OrderStepBefore } from "../../src/rules/audit/audit-records.ts";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { SubscriptionRecord } from "../../src/rules/payments/payment-records.ts";
import type { KeyRecord, OrderRecord, ProductRecord } from "../../src/rules/records.ts";
import { productRecord } from "../../src/testing/conformance/fixtures/record-fixtures.ts";
import { now, pending, session } from "../payments/order-fixtures.ts";
import { entryOf, iso, partition, time, written } from "./audit-fixtures.ts";
import { booked, refundOf } from "./refund-fixtures.ts";

const key: KeyRecord = {
  ...partition,
  id: "key_1",
  kind: "secret",
  name: "Server",
  scopes: ["catalog:read"],
  key_hash: "h",
  last4: "abcd",
  created_at: now,
  revoked_at: null,
};
const product = (id: string, changes: Partial<ProductRecord> = {}): ProductRecord =>
  productRecord(id, now, { store_id: "str_a", slug: id, price: 500, ...changes });

describe("the entry of a record", () => {
  test("names its store, mode and id, and keeps what changed", () => {
    const after = { ...key, name: "Other", revoked_at: time };
    expect(entryOf({ kind: "record", type: "api_key", before: key, after })).toEqual({
      ...written,
      ...partition,
      subject: { type: "api_key", id: "key_1" },
      before: { name: "Server", revoked_at: null },
      after: { name: "Other", revoked_at: iso },
      withheld: [],
    });
  });

  test("that is new has no values before, and one that is gone none after", () => {
    const made = entryOf({ kind: "record", type: "api_key", before: null, after: key });
    expect([made?.before, made?.after]).toEqual([
      null,
      { kind: "secret", name: "Server", scopes: ["catalog:read"], last4: "abcd" },
    ]);
    const gone = entryOf({ kind: "record", type: "api_key", before: key, after: null });
    expect([gone?.before, gone?.after]).toEqual([made?.after, null]);
  });

  test("of both modes has none", () => {
    const change = { kind: "record", type: "product", before: null, after: product("p") } as const;
    expect(entryOf(change)?.livemode).toBeNull();
  });

  test.each([
    ["without a change", key, key],
    ["whose silent fields changed", key, { ...key, key_hash: "other" }],
    ["that never was", null, null],
  ])("%s is not written", (_name, before, after) => {
    expect(entryOf({ kind: "record", type: "api_key", before, after })).toBeNull();
  });

  test("that is too long names what it lost", () => {
    const long = product("p", { description: "x".repeat(20_000) });
    const change = { kind: "record", type: "product", before: product("p"), after: long } as const;
    expect(entryOf(change)).toMatchObject({ before: {}, after: {}, cut: ["description"] });
  });
});

describe("the entry of products", () => {
  const change = (
    before: readonly ProductRecord[],
    after: readonly ProductRecord[],
  ): AuditedChange => ({ kind: "products", store_id: "str_a", before, after });
  const [a, b, c] = [product("a"), product("b"), product("c")];

  test("written one by one is about the product, and compares it with its own past", () => {
    const entry = entryOf(change([b, a], [{ ...a, price: 600 }]), "product");
    expect(entry).toMatchObject({
      subject: { type: "product", id: "a" },
      before: { price: 500 },
      after: { price: 600 },
    });
    expect(entryOf(change([b], [a]), "product")).toMatchObject({ before: null });
    expect(entryOf(change([a], []), "product")).toBeNull();
  });

  test.each([
    ["one new, one changed, one unchanged", [a, b], [{ ...a, price: 1 }, b, c], [1, 1, 1]],
    ["all new", [], [a, b], [2, 0, 0]],
    ["none changed", [a, b], [a, b], null],
    ["none", [], [], null],
  ])("written together counts them: %s", (_name, before, after, counts) => {
    const entry = entryOf(change(before, after), "store");
    if (counts === null) return expect(entry).toBeNull();

    const [created, updated, unchanged] = counts;
    expect(entry).toEqual({
      ...written,
      store_id: "str_a",
      livemode: null,
      subject: { type: "store", id: "str_a" },
      before: null,
      after: { created, updated, unchanged },
      withheld: [],
    });
  });

  test.each([
    [{ created: 1, updated: 0, unchanged: 5 }, true],
    [{ created: 0, updated: 1, unchanged: 5 }, true],
    [{ created: 0, updated: 0, unchanged: 5 }, false],
  ])("of several steps %j is written: %j", (counts, isWritten) => {
    const entry = entryOf({ kind: "counts", store_id: "str_a", counts });
    expect(entry?.after ?? null).toEqual(isWritten ? counts : null);
  });
});

describe("the entry of a step on orders", () => {
  const order = pending.order as OrderRecord;
  const before: OrderStepBefore = { ...pending, payments: [], refunds: [], disputes: [] };
  const step = (
    changes: Parameters<typeof orderChanges>[0],
    over: Partial<Extract<AuditedChange, { kind: "order_step" }>> = {},
  ): AuditedChange => ({
    kind: "order_step",
    partition,
    before,
    changes: orderChanges(changes),
    order: changes.order ?? null,
    ...over,
  });
  const paid: OrderRecord = { ...order, status: "paid", paid_at: now };

  test("names each record that it changed", () => {
    const [attempt] = pending.attempts;
    if (!attempt) throw new Error("The fixture has an attempt.");
    const change = step({
      order: paid,
      session: { ...session, status: "complete", payment_status: "paid" },
      attempts: [{ ...attempt, state: "succeeded" }],
      payments: [booked],
      refunds: [refundOf("a")],
      disputes: [
        {
          ...partition,
          id: "dp_1",
          order_id: order.id,
          payment_reference: null,
          amount: 7,
          reason: "fraud",
          due_by: time,
          outcome: null,
          notified: false,
          created_at: now,
          updated_at: now,
        },
      ],
    });
    expect(entryOf(change)).toEqual({
      ...written,
      ...partition,
      subject: { type: "order", id: order.id },
      before: {
        "order.status": "pending",
        "checkout_session.status": "open",
        "checkout_session.payment_status": "pending",
        "attempts[pay_1].state": "in_flight",
      },
      after: {
        "order.status": "paid",
        "checkout_session.status": "complete",
        "checkout_session.payment_status": "paid",
        "attempts[pay_1].state": "succeeded",
        "payments[pay_1].gateway": "sandbox",
        "payments[pay_1].state": "booked",
        "payments[pay_1].payment_reference": "money",
        "payments[pay_1].amount": 2_000,
        "payments[pay_1].currency": "BRL",
        "refunds[rf_a].reference": "a",
        "refunds[rf_a].state": "pending",
        "refunds[rf_a].amount": 500,
        "refunds[rf_a].moved": "by_gateway",
        "refunds[rf_a].gateway": "sandbox",
        "disputes[dp_1].amount": 7,
        "disputes[dp_1].due_by": iso,
      },
      withheld: ["disputes[dp_1].reason"],
    });
  });

  test("compares each record with its own past", () => {
    const older = { ...before, order: { ...order, id: "ord_0" } };
    const change = step({ order: paid }, { before: older });
    expect(entryOf(change)?.before).toEqual({});
    expect(entryOf(change)?.after).toMatchObject({ "order.status": "paid" });
    const refunds = [refundOf("b", { state: "failed" }), refundOf("a")];
    const settled = step(
      { order, refunds: [refundOf("a", { state: "succeeded" })] },
      { before: { ...before, refunds } },
    );
    expect(entryOf(settled)).toMatchObject({
      before: { "refunds[rf_a].state": "pending" },
      after: { "refunds[rf_a].state": "succeeded" },
    });
  });

  test("that changes nothing to be shown is not written", () => {
    expect(entryOf(step({ order: { ...order, sweep_at: 5 } }))).toBeNull();
    expect(entryOf(step({}))).toBeNull();
  });

  const subscription = { id: "sub_1", status: "active", amount: 5 } as SubscriptionRecord;
  const all = {
    order: paid,
    session: { ...session, status: "complete" as const },
    payments: [booked],
    subscription,
  };

  test.each([
    ["order", { type: "order", id: "ord_1" }],
    ["checkout_session", { type: "checkout_session", id: "cs_1" }],
    ["subscription", { type: "subscription", id: "sub_1" }],
    ["payment", { type: "payment", id: "pay_1" }],
    ["customer", { type: "order", id: "ord_1" }],
  ] as const)("is about the %s that its call was about", (about, subject) => {
    expect(entryOf(step(all), about)?.subject).toEqual(subject);
  });

  const bare: OrderStepBefore = { ...before, order: null, session: null, attempts: [] };

  test.each([
    ["a session without an order", { session }, bare, { type: "checkout_session", id: "cs_1" }],
    ["a subscription alone", { subscription }, bare, { type: "subscription", id: "sub_1" }],
    ["money alone", { payments: [booked] }, bare, { type: "payment", id: "pay_1" }],
    ["the order that it has read", { payments: [booked] }, before, { type: "order", id: "ord_1" }],
    [
      "the session that it has read",
      { payments: [booked] },
      { ...bare, session },
      { type: "checkout_session", id: "cs_1" },
    ],
    [
      "the subscription that it has read",
      { payments: [booked] },
      { ...bare, subscription },
      { type: "subscription", id: "sub_1" },
    ],
  ])("is about what there is: %s", (_name, changes, known, subject) => {
    expect(entryOf(step(changes, { before: known }))?.subject).toEqual(subject);
  });

  test("without any record to name is not written", () => {
    const change = step({ refunds: [refundOf("a")] }, { before: bare });
    expect(entryOf(change)).toBeNull();
  });

  test("compares a subscription with its own past", () => {
    const past = { ...subscription, status: "past_due" } as const;
    const change = step({ subscription: past }, { before: { ...bare, subscription } });
    expect(entryOf(change)).toMatchObject({
      before: { "subscription.status": "active" },
      after: { "subscription.status": "past_due" },
    });
  });
});
