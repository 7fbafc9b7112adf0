import { describe, expect, test } from "vitest";
import { createKeyRing } from "../../src/domain/keys/key-ring.ts";
import { mergeRevocations } from "../../src/rules/checkout/buyer.ts";
import { createCustomerKeys } from "../../src/rules/checkout/customer-keys.ts";
import { isIdSpent } from "../../src/rules/owner/erased-customer.ts";
import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  heldCoupon,
  sessionOfEvent,
} from "../../src/rules/owner/erasure.ts";
import type { SubscriptionRecord } from "../../src/rules/payments/payment-records.ts";
import { session } from "../payments/order-fixtures.ts";
import { order } from "./refund-fixtures.ts";

const nobody = {
  id: "cus_erased",
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};
const unnamed = { email: null, discord_id: null };

describe("what stays of a record of an erased customer", () => {
  test.each([
    ["email:ana@example.com", "erased"],
    [null, null],
  ])("the order, whose coupon counts for %j", (coupon_key, key) => {
    const before = { ...order, coupon_key };
    expect(blankOrder(before)).toEqual({
      ...before,
      customer: nobody,
      coupon_key: key,
      items: order.items.map((item) => ({ ...item, variables: {} })),
      metadata: {},
    });
  });

  /** What a buyer or the shop can write, and what is left of it. */
  const written = {
    metadata: { about: "ana" },
    success_url: "https://a.example.com/ok?about=ana?&b",
    cancel_url: "https://a.example.com/back",
  };
  const unwritten = {
    metadata: {},
    success_url: "https://a.example.com/ok",
    cancel_url: "https://a.example.com/back",
  };
  const bought = [{ id: "i_1", quantity: 2, variables: { nick: "ana" } }];
  const unsaid = [{ id: "i_1", quantity: 2, variables: {} }];

  test.each([
    ["cus_1", "cus_erased"],
    [null, null],
  ])("the session of the customer %j", (customer_id, id) => {
    const lines = session.lines.map((line) => ({ ...line, variables: { nick: "ana" } }));
    const hold = { until: 5, token: "t", coupon_key: "id:cus_1", address: null };
    const before = { ...session, ...written, customer_id, discord_id: "7", lines, hold };
    expect(blankSession(before)).toEqual({
      ...before,
      ...unnamed,
      ...unwritten,
      customer_id: id,
      lines: lines.map((line) => ({ ...line, variables: {} })),
      hold: { ...hold, coupon_key: "erased" },
    });
  });

  test("the use of a coupon that a session holds", () => {
    const hold = { until: 5, token: "t", coupon_key: null, address: null };
    const held = { ...session, coupon_id: "cpn_1", hold };
    expect(blankSession(held).hold).toEqual(hold);
    expect(heldCoupon({ ...session, hold: null }).coupon_key).toBeNull();
    expect(heldCoupon({ ...held, hold: { ...hold, coupon_key: "id:u" } })).toEqual({
      coupon_id: "cpn_1",
      coupon_key: "id:u",
    });
  });

  test("the subscription", () => {
    const { metadata } = written;
    const variables = { nick: "ana" };
    const facts = { id: "sub_1", amount: 5, customer: order.customer, metadata, variables };
    const before = facts as unknown as SubscriptionRecord;
    const blank = { ...before, customer: nobody, metadata: {}, variables: {} };
    expect(blankSubscription(before, 7)).toEqual(blank);
    expect(blankSubscription({ ...before, forget: null }, 7)).toEqual(blank);

    const consent = { text: "Ana agrees", at: 3 };
    const saved = { attempt_id: "pay_1", label: "Visa 4242", expires_at: 9, consent };
    const forgotten = { attempt_id: "pay_1", label: "", expires_at: null };
    const renewal = { saved, tries: 2, stopped: false, charge_at: 5 };
    const waiting = { methods: [{ ...saved, attempt_id: "pay_0" }], tries: 4, at: 8 };
    const kept = { ...facts, renewal, forget: waiting } as unknown as SubscriptionRecord;
    const unworded = { ...consent, text: "" };
    expect(blankSubscription(kept, 7)).toEqual({
      ...blank,
      forget: {
        methods: [
          { ...forgotten, consent: unworded },
          { ...forgotten, attempt_id: "pay_0", consent: unworded },
        ],
        tries: 0,
        at: 7,
      },
    });
  });

  test("the stored reply", () => {
    const customer = { email: "a@b.c", discord_id: "7" };
    const data = { id: "cs_1", customer, line_items: bought, ...written };
    const reply = { data, livemode: false, request_id: "req_1" };
    expect(JSON.parse(blankReply(JSON.stringify(reply)))).toEqual({
      ...reply,
      data: { id: "cs_1", customer: unnamed, line_items: unsaid, ...unwritten },
    });
  });

  const mine = { id: "cus_1", email: "a@b.c" };
  const other = { id: "cus_2", email: "x@y.z" };
  const { metadata } = written;
  const owned = { id: "ord_1", amount: 5, customer: mine, items: bought, metadata };
  const blankOwned = { ...owned, customer: nobody, items: unsaid, metadata: {} };
  const { items: _, ...subscribed } = owned;
  const checkout_session = {
    id: "cs_1",
    customer: { email: null, discord_id: null },
    line_items: bought,
    ...written,
  };
  const blankShown = { id: "cs_1", customer: unnamed, line_items: unsaid, ...unwritten };
  const text = { id: "x_1", amount: 5, reason: "ana" };

  test.each<[string, object, object | null]>([
    [
      "of their order",
      { order: owned, previous_status: null },
      { order: blankOwned, previous_status: null },
    ],
    [
      "of a refund and a dispute of their order",
      { order: owned, refund: text, dispute: text },
      {
        order: blankOwned,
        refund: { ...text, reason: null },
        dispute: { ...text, reason: null },
      },
    ],
    [
      "of a refund of another customer's order",
      { order: { ...owned, customer: other }, refund: text },
      null,
    ],
    [
      "of their subscription, with an order in brief",
      { subscription: subscribed, order: { id: "ord_1" } },
      {
        subscription: { ...subscribed, customer: nobody, metadata: {}, saved_method: null },
        order: { id: "ord_1" },
      },
    ],
    [
      "of their subscription with a saved card",
      { subscription: { ...subscribed, saved_method: { kind: "card", label: "•••• 4242" } } },
      { subscription: { ...subscribed, customer: nobody, metadata: {}, saved_method: null } },
    ],
    [
      "of another customer's subscription",
      { subscription: { customer: other }, order: null },
      null,
    ],
    [
      "of their session, also where it names nobody",
      { checkout_session, order: { id: "ord_1" } },
      { checkout_session: blankShown, order: { id: "ord_1" } },
    ],
    ["of another session", { checkout_session: { ...checkout_session, id: "cs_2" } }, null],
    ["of none of these", { endpoint: { id: "we_1" } }, null],
    [
      "that is blank already",
      {
        order: blankOwned,
        checkout_session: blankShown,
      },
      null,
    ],
  ])("the event %s", (_name, data, blank) => {
    const event = { id: "evt_1", type: "x", sequence: 7, data };
    const body = blankEvent(JSON.stringify(event), "cus_1", new Set(["cs_1"]));
    expect(body && JSON.parse(body)).toEqual(blank && { ...event, data: blank });
  });

  test.each([
    [{ data: { checkout_session: { id: "cs_1" } } }, "cs_1"],
    [{ data: { order: {} } }, null],
  ])("the session of the event %j is %j", (event, id) => {
    expect(sessionOfEvent(JSON.stringify(event))).toBe(id);
  });
});

test.each([
  ["cus_1", true, true],
  ["cus_1", false, false],
  ["user-7", true, false],
  ["my_cus_1", true, false],
])("the id %s of a customer who is erased (%j) is spent: %j", (id, erased, isSpent) => {
  expect(isIdSpent(id, erased)).toBe(isSpent);
});

test.each([
  ["none", [], null],
  ["one", [{ not_before: 5, erased: false }], { not_before: 5, erased: false }],
  [
    "several: the latest time, and any erasure",
    [
      { not_before: 5, erased: true },
      { not_before: 9, erased: false },
      { not_before: 7, erased: false },
    ],
    { not_before: 9, erased: true },
  ],
])("the revocations of a customer are one: %s", (_name, all, merged) => {
  expect(mergeRevocations(all)).toEqual(merged);
});

test("a revocation is stored under a hash of each seal key, the newest first, and found by the id", async () => {
  const ring = (...keys: readonly number[]) =>
    createKeyRing(
      keys.map((byte) => new Uint8Array(32).fill(byte)),
      (length) => new Uint8Array(length),
    );
  const one = await createCustomerKeys(ring(1))("str_a", "cus_1");
  const both = await createCustomerKeys(ring(2, 1))("str_a", "cus_1");
  // HMAC-SHA-256 over store and customer, under that of `vitrine/customer` under the seal key.
  expect(one).toEqual(["z4Y1SSO-1zGf-SzwttjDbgyqVdF4te3imAcUmgOD0HI", "cus_1"]);
  expect(both).toEqual([expect.stringMatching(/^[\w-]{43}$/), ...one]);

  const others = await Promise.all([
    createCustomerKeys(ring(2))("str_a", "cus_2"),
    createCustomerKeys(ring(2))("str_b", "cus_1"),
  ]);
  const hashes = [both[0], ...others.map(([hash]) => hash)];
  expect(new Set(hashes).size).toBe(3);
});
