import { describe, expect, test } from "vitest";
import type { BuyerFacts } from "../../src/rules/orders/order-commands.ts";
import {
  couponCustomerKey,
  customerOf,
  isUnnamedCustomer,
} from "../../src/rules/orders/order-customer.ts";
import type { OrderRecord, SessionRecord } from "../../src/rules/records.ts";
import { base, pendingOrder as order, session } from "../payments/order-fixtures.ts";

const nobody = base.buyer;
const known: BuyerFacts = {
  id: "host_1",
  email: "Bob@Example.com",
  name: "Bob",
  discord_id: "42",
  tax_id: "***.456.789-**",
  tax_id_type: "cpf",
  country: "BR",
};
const byToken: SessionRecord = { ...session, customer_id: "token_1" };
const withCustomer = (customer: Partial<OrderRecord["customer"]>): OrderRecord => ({
  ...order,
  customer: { ...order.customer, ...customer },
});

describe("the customer of an order", () => {
  const fromSession = {
    id: "cus_new",
    email: "Ana@Example.com",
    name: null,
    discord_id: null,
    tax_id: null,
    tax_id_type: null,
    country: null,
  };

  test.each<[string, SessionRecord, OrderRecord | null, BuyerFacts | null, object]>([
    ["is the session's at first", session, null, null, fromSession],
    [
      "has the session's Discord id and the token's id",
      { ...byToken, discord_id: "7" },
      null,
      nobody,
      { ...fromSession, id: "token_1", discord_id: "7" },
    ],
    ["has what the buyer tells", session, null, known, known],
    [
      "keeps the token's id, whatever the buyer tells",
      byToken,
      null,
      known,
      { ...known, id: "token_1" },
    ],
    [
      "keeps what the buyer leaves out",
      session,
      { ...order, customer: known as OrderRecord["customer"] },
      nobody,
      known,
    ],
    [
      "keeps everything without a buyer",
      byToken,
      withCustomer({ name: "Eva" }),
      null,
      { ...order.customer, name: "Eva" },
    ],
    [
      "changes with a new word of the buyer",
      session,
      withCustomer({ name: "Eva", country: "PT" }),
      known,
      known,
    ],
    [
      "is someone new once the session's customer is erased",
      { ...session, customer_id: "cus_erased", email: null },
      null,
      { ...nobody, email: "eva@example.com" },
      { ...fromSession, email: "eva@example.com" },
    ],
    [
      "is someone new once the order's customer is erased",
      session,
      withCustomer({ id: "cus_erased", email: null }),
      { ...known, id: "cus_erased" },
      { ...known, id: "cus_new" },
    ],
    [
      "stays erased while nobody tells anything",
      session,
      withCustomer({ id: "cus_erased", email: null }),
      null,
      { ...order.customer, id: "cus_erased", email: null },
    ],
  ])("%s", (_name, from, before, buyer, customer) => {
    expect(customerOf(from, before, buyer, "cus_new")).toEqual(customer);
  });
});

describe("the customer that a coupon's use counts for", () => {
  const keyed = (holds: OrderRecord["holds"], coupon_key: string | null): OrderRecord => ({
    ...withCustomer({ id: "cus_1", email: "ana@example.com" }),
    holds,
    coupon_key,
  });

  test.each<[string, SessionRecord, OrderRecord | null, BuyerFacts | null, string]>([
    [
      "the e-mail where the session's customer is erased",
      { ...session, customer_id: "cus_erased" },
      null,
      { ...nobody, id: "cus_erased" },
      "email:ana@example.com",
    ],
    ["the folded e-mail", session, null, null, "email:ana@example.com"],
    [
      "the e-mail that the buyer tells",
      session,
      null,
      { ...nobody, email: "B@x.com" },
      "email:b@x.com",
    ],
    ["the id of the buyer token", byToken, null, nobody, "id:token_1"],
    ["the id that the host tells", session, null, known, "id:host_1"],
    ["the new id, without any name", { ...session, email: null }, null, nobody, "new:cus_new"],
    ["the key of a use that is held", session, keyed("held", "email:x@y.z"), known, "email:x@y.z"],
    [
      "the key of a use that is consumed",
      byToken,
      keyed("consumed", "new:cus_1"),
      null,
      "new:cus_1",
    ],
    [
      "a new key once the use is given back",
      session,
      keyed("none", "email:x@y.z"),
      nobody,
      "email:ana@example.com",
    ],
    ["an id, once an id was told", session, keyed("none", "id:cus_1"), nobody, "id:cus_1"],
    [
      "a new key for an order that holds no use",
      session,
      keyed("held", null),
      nobody,
      "email:ana@example.com",
    ],
  ])("is named by %s", (_name, from, before, buyer, key) => {
    expect(couponCustomerKey(from, before, buyer, "cus_new")).toBe(key);
  });

  test.each([
    ["new:cus_1", true],
    ["id:new:1", false],
    ["email:new@x.com", false],
  ])("%s stands for a buyer whom nobody named: %j", (key, isUnnamed) => {
    expect(isUnnamedCustomer(key)).toBe(isUnnamed);
  });
});
