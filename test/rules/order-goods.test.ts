import { describe, expect, test } from "vitest";
import {
  changesAvailability,
  hasPieces,
  isInStock,
  isOffered,
  onHandOf,
} from "../../src/rules/catalog/stock.ts";
import type { CartProduct } from "../../src/rules/checkout/checkout-records.ts";
import {
  couponUse,
  type Holder,
  holderOf,
  isCouponMissing,
  isStockShort,
  judgeSource,
  lacksCustomer,
  quantityByProduct,
  refuseHolds,
  refuseProducts,
  refuseTakeOver,
  takeCoupon,
} from "../../src/rules/orders/order-goods.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { SessionRecord } from "../../src/rules/records.ts";
import {
  coupon,
  fresh,
  now,
  pendingOrder as order,
  pieces,
  session,
} from "../payments/order-fixtures.ts";

const hold = { until: now + 1, token: "t", coupon_key: coupon.customer_key, address: null };
const uncounted = (stock: number) => ({ stock, held: 0, counted: false });

describe("the pieces of a product", () => {
  test.each([
    ["that was never counted", undefined, null, true],
    ["that is not counted any more", { stock: 0, held: 3, counted: false }, null, true],
    ["with some left", { stock: 5, held: 3, counted: true }, 2, true],
    ["with none left", { stock: 3, held: 3, counted: true }, 0, false],
    ["with fewer than are held", { stock: 2, held: 3, counted: true }, -1, false],
  ])("%s", (_name, count, on_hand, is_in_stock) => {
    expect(onHandOf(count)).toBe(on_hand);
    expect(isInStock(onHandOf(count))).toBe(is_in_stock);
  });

  test.each([
    ["the last ones are held", pieces(2), { stock_delta: 0, held_delta: 2 }, true],
    ["one too many is held", pieces(2), { stock_delta: 0, held_delta: 3 }, false],
    ["the last ones are sold", pieces(2), { stock_delta: -2, held_delta: 0 }, true],
    ["one too many is sold", pieces(2), { stock_delta: -3, held_delta: 0 }, false],
    ["held ones are sold", pieces(0), { stock_delta: -2, held_delta: -2 }, true],
    ["they are not counted", uncounted(0), { stock_delta: -9, held_delta: 0 }, true],
  ])("suffice or not: %s", (_name, count, change, suffices) => {
    expect(hasPieces(count, { product_id: "a", guarded: true, ...change })).toBe(suffices);
  });

  test.each([
    ["the last one is sold", pieces(1), pieces(0), true],
    ["one of two is sold", pieces(2), pieces(1), false],
    ["one comes back", pieces(0), pieces(1), true],
    ["the last one is held", pieces(1), { stock: 1, held: 1, counted: true }, true],
    ["the counting of none ends", pieces(0), uncounted(0), true],
    ["the counting of some ends", pieces(1), undefined, false],
  ])("change what is available: %s", (_name, before, after, changes) => {
    expect(changesAvailability(before, after)).toBe(changes);
  });

  test.each([
    [true, false, true],
    [true, true, false],
    [false, false, false],
  ])("of a product that is active (%j) and blocked (%j) may be bought: %j", (...row) => {
    const [active, blocked, offered] = row;
    expect(isOffered({ active, blocked })).toBe(offered);
  });

  test("are summed over the lines, and sorted by product", () => {
    expect(quantityByProduct(session)).toEqual([
      ["a", 2],
      ["b", 2],
    ]);
    const [line] = session.lines;
    if (!line) throw new Error("The fixture has lines.");
    const lines = ["c", "a", "d", "b"].map((product_id) => ({ ...line, product_id }));
    const sorted = quantityByProduct({ ...session, lines }).map(([product_id]) => product_id);
    expect(sorted).toEqual(["a", "b", "c", "d"]);
  });
});

describe("the products of a session", () => {
  test.each([
    ["the step does not judge them", null, undefined, null],
    ["all are offered", ["a", "b"], undefined, null],
    ["one is not offered", ["a"], undefined, "product_unavailable"],
    ["the host's catalog has them", [], "available", null],
    ["the host's catalog has not enough", ["a", "b"], "insufficient_stock", "insufficient_stock"],
    [
      "the host's catalog sells one no more",
      ["a", "b"],
      "product_unavailable",
      "product_unavailable",
    ],
  ] as const)("can be bought or not: %s", (_name, offered, from_source, refusal) => {
    const snapshot = { ...fresh, offered: offered && new Set<string>(offered) };
    const answer = from_source === undefined ? {} : { from_source };
    expect(refuseProducts(snapshot, session, answer)).toBe(refusal);
  });

  const product = (id: string, on_hand: number | null, changes: Partial<CartProduct> = {}) =>
    ({ id, active: true, blocked: false, on_hand, ...changes }) as CartProduct;

  test.each<[string, readonly CartProduct[], boolean, string]>([
    ["uncounted ones", [product("a", null), product("b", null)], false, "available"],
    ["exactly enough", [product("a", 2), product("b", 2)], false, "available"],
    ["one too few", [product("a", 2), product("b", 1)], false, "insufficient_stock"],
    [
      "one too few, which the catalog reserves",
      [product("a", 1), product("b", 2)],
      true,
      "available",
    ],
    ["a draft", [product("a", 2), product("b", 2, { active: false })], true, "product_unavailable"],
    [
      "a blocked one",
      [product("a", 2, { blocked: true }), product("b", 2)],
      false,
      "product_unavailable",
    ],
    ["one that is gone", [product("a", 2)], false, "product_unavailable"],
  ])("of the host's own catalog: %s", (_name, products, reserves, answer) => {
    expect(judgeSource(session, products, reserves)).toBe(answer);
  });

  test.each([
    ["exactly enough free ones", pieces(2), "free", false],
    ["one free one too few", { stock: 4, held: 3, counted: true }, "free", true],
    ["held ones, of which all are there", { stock: 2, held: 9, counted: true }, "held", false],
    ["held ones, of which one is gone", { stock: 1, held: 2, counted: true }, "held", true],
    ["uncounted ones", uncounted(0), "free", false],
  ] as const)("are short or not: %s", (_name, count, kind, isShort) => {
    expect(isStockShort({ ...fresh, stock: new Map([["b", count]]) }, session, kind)).toBe(isShort);
  });
});

describe("who holds the goods", () => {
  test.each([
    ["the order", { ...order, holds: "held" }, { ...session, hold }, "order"],
    ["the session", { ...order, holds: "none" }, { ...session, hold }, "session"],
    ["the session, without an order", null, { ...session, hold }, "session"],
    ["nobody", null, session, "nobody"],
    ["nobody, once they are sold", { ...order, holds: "consumed" }, session, "nobody"],
  ] as const)("%s", (_name, owner, record, holder) => {
    expect(holderOf(owner, record)).toBe(holder);
  });
});

describe("the uses of a coupon", () => {
  const other = { ...hold, coupon_key: "email:other@example.com" };
  const held = (by: typeof hold): SessionRecord => ({ ...session, hold: by });
  const withCoupon = (changes: Partial<typeof coupon> | null): OrderSnapshot => ({
    ...fresh,
    coupon: changes && { ...coupon, ...changes },
  });

  test.each<[string, SessionRecord, Partial<typeof coupon> | null, string | null]>([
    ["the last use", session, { used: 4 }, null],
    ["no use left", session, { used: 5 }, "coupon_invalid"],
    ["uses without a limit", session, { used: 5, max_uses: null }, null],
    ["the customer's last use", session, { max_uses_per_customer: 2, used_by_customer: 1 }, null],
    [
      "no use left for the customer",
      session,
      { max_uses_per_customer: 2, used_by_customer: 2 },
      "coupon_invalid",
    ],
    ["a coupon that is gone", session, null, "coupon_invalid"],
    ["a coupon that is switched off", session, { enabled: false }, "coupon_invalid"],
    ["no coupon", { ...session, coupon_id: null }, null, null],
  ])("may be held: %s", (_name, record, changes, refusal) => {
    expect(refuseHolds(withCoupon(changes), record, now)).toBe(refusal);
  });

  test.each<[string, SessionRecord, Partial<typeof coupon> | null, string | null]>([
    ["its own use, with none left", held(hold), { used: 5 }, null],
    ["another customer's, which is the last", held(other), { used: 5 }, null],
    ["another customer's, beyond the last", held(other), { used: 6 }, "coupon_invalid"],
    [
      "another customer's, with none left for this one",
      held(other),
      { max_uses_per_customer: 1, used_by_customer: 1 },
      "coupon_invalid",
    ],
    ["no coupon", held(other), null, null],
    ["no hold, and none left", session, { used: 6 }, "coupon_invalid"],
  ])("may be taken over: %s", (_name, record, changes, refusal) => {
    expect(refuseTakeOver(withCoupon(changes), record)).toBe(refusal);
  });

  test.each<[string, Holder, SessionRecord, Partial<typeof coupon> | null, boolean]>([
    ["nobody held it, and none is left", "nobody", session, { used: 5 }, true],
    ["nobody held it, and one is left", "nobody", session, { used: 4 }, false],
    ["the order holds it", "order", held(other), { used: 9 }, false],
    ["the session held its own", "session", held(hold), { used: 9 }, false],
    ["the session held another one's, beyond the last", "session", held(other), { used: 6 }, true],
    ["the session held another one's, the last", "session", held(other), { used: 5 }, false],
    ["the coupon is gone", "nobody", session, null, false],
  ])("are missing for a paid order: %s", (_name, holder, record, changes, isMissing) => {
    expect(isCouponMissing(withCoupon(changes), record, holder)).toBe(isMissing);
  });

  test.each([
    ["nobody told who buys, and customers have a limit", "new:cus_1", 1, true],
    ["nobody told who buys, without such a limit", "new:cus_1", null, false],
    ["an e-mail names the buyer", "email:a@b.c", 1, false],
    ["an id names the buyer", "id:cus_1", 1, false],
  ])("lack a customer: %s", (_name, customer_key, max_uses_per_customer, lacks) => {
    expect(lacksCustomer({ ...coupon, customer_key, max_uses_per_customer })).toBe(lacks);
  });

  test("lack none without a coupon", () => {
    expect(lacksCustomer(null)).toBe(false);
  });

  test.each([
    ["counts for its customer", "cpn_1", "id:a", 1],
    ["without a coupon counts nothing", null, "id:a", 0],
    ["without a customer counts nothing", "cpn_1", null, 0],
  ])("a use %s", (_name, coupon_id, coupon_key, count) => {
    const change = { used_delta: -1, guarded: false } as const;
    expect(couponUse({ coupon_id }, { coupon_key }, change)).toEqual(
      count === 0 ? [] : [{ coupon_id, customer_key: coupon_key, ...change }],
    );
  });

  const mine = coupon.customer_key;
  const taken = (guarded: boolean) => ({
    coupon_id: "cpn_1",
    used_delta: 1,
    customer_key: mine,
    guarded,
  });

  test.each<[string, Holder, SessionRecord, boolean, readonly object[]]>([
    ["held by it already", "order", held(other), true, []],
    ["held by nobody, guarded", "nobody", session, true, [taken(true)]],
    ["held by nobody, for money that came", "nobody", session, false, [taken(false)]],
    ["held by the session for the same customer", "session", held(hold), true, []],
    [
      "held by the session for another customer: it moves",
      "session",
      held(other),
      true,
      [{ ...taken(false), used_delta: -1, customer_key: other.coupon_key }, taken(false)],
    ],
  ])("the order takes a use %s", (_name, holder, record, guarded, changes) => {
    const buying = { ...order, coupon_key: mine };
    expect(takeCoupon(buying, record, { holder, guarded })).toEqual(changes);
  });
});
