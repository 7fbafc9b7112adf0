import { describe, expect, test } from "vitest";
import { createKeyRing } from "../../src/domain/key-ring.ts";
import { mergeRevocations } from "../../src/rules/buyer.ts";
import { createCustomerKeys } from "../../src/rules/customer-keys.ts";
import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  isIdSpent,
  sessionOfEvent,
} from "../../src/rules/erasure.ts";
import type { SubscriptionRecord } from "../../src/rules/payment-records.ts";
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
    expect(blankOrder(before)).toEqual({ ...before, customer: nobody, coupon_key: key });
  });

  test.each([
    ["cus_1", "cus_erased"],
    [null, null],
  ])("the session of the customer %j", (customer_id, id) => {
    const before = { ...session, customer_id, discord_id: "7" };
    expect(blankSession(before)).toEqual({ ...before, ...unnamed, customer_id: id });
  });

  test("the subscription", () => {
    const before = { id: "sub_1", amount: 5, customer: order.customer } as SubscriptionRecord;
    expect(blankSubscription(before)).toEqual({ ...before, customer: nobody });
  });

  test("the stored reply", () => {
    const data = { id: "cs_1", customer: { email: "a@b.c", discord_id: "7" } };
    const reply = { data, livemode: false, request_id: "req_1" };
    expect(JSON.parse(blankReply(JSON.stringify(reply)))).toEqual({
      ...reply,
      data: { ...data, customer: unnamed },
    });
  });

  const mine = { id: "cus_1", email: "a@b.c" };
  const other = { id: "cus_2", email: "x@y.z" };
  const owned = { id: "ord_1", amount: 5, customer: mine };
  const checkout_session = { id: "cs_1", customer: { email: "a@b.c", discord_id: null } };

  test.each<[string, object, object | null]>([
    [
      "of their order",
      { order: owned, previous_status: null },
      {
        order: { ...owned, customer: nobody },
        previous_status: null,
      },
    ],
    ["of another customer's order", { order: { ...owned, customer: other } }, null],
    [
      "of their subscription, with an order in brief",
      { subscription: owned, order: { id: "ord_1" } },
      { subscription: { ...owned, customer: nobody }, order: { id: "ord_1" } },
    ],
    [
      "of another customer's subscription",
      { subscription: { customer: other }, order: null },
      null,
    ],
    [
      "of their session",
      { checkout_session, order: { id: "ord_1" } },
      { checkout_session: { ...checkout_session, customer: unnamed }, order: { id: "ord_1" } },
    ],
    ["of another session", { checkout_session: { ...checkout_session, id: "cs_2" } }, null],
    ["of none of these", { endpoint: { id: "we_1" } }, null],
    [
      "that is blank already",
      {
        order: { ...owned, customer: nobody },
        checkout_session: { id: "cs_1", customer: unnamed },
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
