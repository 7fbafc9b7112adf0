import { describe, expect, test } from "vitest";
import {
  type CustomerTotal,
  customerTotal,
  orderTerms,
  readOrderSearch,
  sumTotals,
  termChanges,
  totalChanges,
} from "../../src/rules/orders/order-terms.ts";
import { erasedCustomerId } from "../../src/rules/owner/erased-customer.ts";
import type { OrderRecord } from "../../src/rules/records.ts";
import { paid as snapshot } from "../payments/order-fixtures.ts";

const paid = snapshot.order as OrderRecord;
const withCustomer = (changes: Partial<OrderRecord["customer"]>): OrderRecord => ({
  ...paid,
  customer: { ...paid.customer, ...changes },
});

describe("the terms that find an order", () => {
  test("are its folded e-mail and its products, sorted, each once", () => {
    expect(orderTerms(paid)).toEqual(["e:ana@example.com", "p:a", "p:b"]);
    expect(orderTerms(withCustomer({ email: "ÅNA@x.com" }))[0]).toBe("e:ana@x.com");
    expect(orderTerms(withCustomer({ email: null }))).toEqual(["p:a", "p:b"]);
  });

  test("are the words of the buyer's name, from each one on, of a long name the first eight", () => {
    const terms = (name: string) => orderTerms(withCustomer({ name, email: null })).slice(0, -2);
    expect(terms("Ána D'Ávila")).toEqual(["n:ana d avila", "n:avila", "n:d avila"]);
    expect(terms("Ana Ana")).toEqual(["n:ana", "n:ana ana"]);
    expect(terms(" -!- ")).toEqual([]);
    expect(terms("a b c d e f g h i")).toHaveLength(8);
    expect(terms("a b c d e f g h i")[7]).toBe("n:h");
    expect(terms("x".repeat(500))).toEqual([`n:${"x".repeat(60)}`]);
  });

  test("are the agent that sold it and its protocol too", () => {
    const terms = (channel: string) => orderTerms({ ...paid, channel }).slice(0, -3);
    expect(terms("ucp:agent.example")).toEqual(["c:ucp", "c:ucp:agent.example"]);
    expect(terms("mcp")).toEqual(["c:mcp"]);
  });

  test.each([
    ["of a new order are added", null, paid, ["e:ana@example.com", "p:a", "p:b"], []],
    ["stay where nothing changes", paid, paid, [], []],
    [
      "change with the e-mail",
      paid,
      withCustomer({ email: "b@x.com" }),
      ["e:b@x.com"],
      ["e:ana@example.com"],
    ],
    ["go with the e-mail", paid, withCustomer({ email: null }), [], ["e:ana@example.com"]],
  ])("%s", (_name, before, after, added, removed) => {
    expect(termChanges(before, after)).toEqual({ added, removed });
  });
});

describe("what orders count for a customer", () => {
  const counted = { customer_id: paid.customer.id, currency: "BRL", orders: 1, spent: 2_000 };

  test.each<[string, OrderRecord, CustomerTotal | null]>([
    ["paid", paid, counted],
    ["refunded in part", { ...paid, amount_refunded: 500 }, { ...counted, spent: 1_500 }],
    ["disputed", { ...paid, status: "chargeback" }, counted],
    ["pending", { ...paid, status: "pending" }, null],
    ["failed", { ...paid, status: "failed" }, null],
    ["of an erased customer", withCustomer({ id: erasedCustomerId }), null],
  ])("an order that is %s", (_name, order, total) => {
    expect(customerTotal(order)).toEqual(total);
  });

  const pending: OrderRecord = { ...paid, status: "pending" };
  const moved = withCustomer({ id: "cus_0" });

  test.each<[string, OrderRecord | null, OrderRecord, readonly CustomerTotal[]]>([
    ["a new order that is paid", null, paid, [counted]],
    ["a new order that is pending", null, pending, []],
    ["the payment of an order", pending, paid, [counted]],
    ["nothing that counts", paid, { ...paid, metadata: {} }, []],
    ["a refund", paid, { ...paid, amount_refunded: 500 }, [{ ...counted, orders: 0, spent: -500 }]],
    [
      "another customer",
      paid,
      moved,
      [
        { ...counted, customer_id: "cus_0" },
        { ...counted, orders: -1, spent: -2_000 },
      ],
    ],
    [
      "an erased customer",
      paid,
      withCustomer({ id: erasedCustomerId }),
      [{ ...counted, orders: -1, spent: -2_000 }],
    ],
    ["a free order that is paid", null, { ...paid, amount_total: 0 }, [{ ...counted, spent: 0 }]],
  ])("changes with %s", (_name, before, after, changes) => {
    expect(totalChanges(before, after)).toEqual(changes);
  });

  test("is summed by customer and currency, and sorted by both", () => {
    const total = (customer_id: string, currency: string, spent: number): CustomerTotal => ({
      customer_id,
      currency,
      orders: 1,
      spent,
    });
    expect(
      sumTotals([
        total("b", "USD", 1),
        total("a", "USD", 4),
        total("c", "USD", 3),
        total("b", "BRL", 2),
        total("b", "USD", 8),
      ]),
    ).toEqual([
      total("a", "USD", 4),
      total("b", "BRL", 2),
      { ...total("b", "USD", 9), orders: 2 },
      total("c", "USD", 3),
    ]);
    expect(sumTotals([])).toEqual([]);
  });
});

describe("what a search text names", () => {
  test.each([
    ["7", { text: "7", number: 7, prefixes: [] }],
    ["#12", { text: "#12", number: 12, prefixes: ["e:#12"] }],
    [" 007 ", { text: "007", number: 7, prefixes: ["e:007", "n:007"] }],
    ["##1", { text: "##1", number: null, prefixes: ["e:##1"] }],
    ["1x", { text: "1x", number: null, prefixes: [] }],
    ["x12", { text: "x12", number: null, prefixes: ["e:x12", "n:x12"] }],
    ["#", { text: "#", number: null, prefixes: [] }],
    ["Åna", { text: "Åna", number: null, prefixes: ["e:ana", "n:ana"] }],
    [
      "Ana  D'Ávila",
      { text: "Ana  D'Ávila", number: null, prefixes: ["e:ana  d'avila", "n:ana d avila"] },
    ],
    ["an", { text: "an", number: null, prefixes: [] }],
    ["😀😀", { text: "😀😀", number: null, prefixes: [] }],
    [
      "999999999999999",
      {
        text: "999999999999999",
        number: 999_999_999_999_999,
        prefixes: ["e:999999999999999", "n:999999999999999"],
      },
    ],
    [
      "1234567890123456",
      {
        text: "1234567890123456",
        number: null,
        prefixes: ["e:1234567890123456", "n:1234567890123456"],
      },
    ],
  ])("%j", (search, searched) => {
    expect(readOrderSearch(search)).toEqual(searched);
  });
});
