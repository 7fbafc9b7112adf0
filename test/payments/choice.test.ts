import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";

// Which methods can pay a session is decided above every storage, so that memory is enough.

let shop: Shop;
let asked: string[];

/** A gateway that tells by which mode it was asked. */
const gatewayOf = (id: string, livemode: boolean): PaymentGateway => ({
  id,
  livemode,
  methods: () => [],
  async createPayment({ id: payment_id, amount, currency }) {
    asked.push(livemode ? "live" : "test");
    return { status: "succeeded", reference: `ref_${payment_id}`, amount, currency };
  },
});

beforeEach(async () => {
  asked = [];
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null },
    gateways: [sandboxGateway(), gatewayOf("both", true), gatewayOf("both", false)],
  });
});

const addMethod = (changes: object) =>
  shop.owner.paymentMethods.create(shop.a.id, {
    type: "card",
    name: "M",
    currencies: ["BRL"],
    gateway: "both",
    ...changes,
  });

/** Pays a session of 1,000 by the method. */
const pay = async (payment_method_id: string, key = shop.a.test.pub) => {
  const token = shop.tokenOf(await shop.session({}, { key }));
  const { checkout } = shop.storefront;
  const { payment_methods } = await checkout.view(token);
  const isShown = payment_methods.some(({ id }) => id === payment_method_id);
  const paid = await thrownBy(checkout.submit(token, { payment_method_id }));
  return { isShown, paid };
};

describe("a method is shown and can pay", () => {
  test.each([
    ["of the least amount exactly", { min_amount: 1_000 }, true],
    ["a unit above the least amount", { min_amount: 1_001 }, false],
    ["of the greatest amount exactly", { max_amount: 1_000 }, true],
    ["a unit below the greatest amount", { max_amount: 999 }, false],
    ["of the currency", { currencies: ["USD", "BRL"] }, true],
    ["of another currency", { currencies: ["USD"] }, false],
    ["while it is disabled", { enabled: false }, false],
    ["of a gateway that is not configured", { gateway: "missing" }, false],
  ])("%s: %j", async (_name, changes, isUsable) => {
    const { id } = await addMethod(changes);
    const { isShown, paid } = await pay(id);
    expect(isShown).toBe(isUsable);
    if (isUsable) expect(paid).toEqual(new Error("Nothing was refused."));
    else expect(paid).toMatchObject({ code: "parameter_invalid", param: "payment_method_id" });
    expect(asked).toEqual(isUsable ? ["test"] : []);
  });

  test("of a recurring product only when it supports that", async () => {
    const product = await shop.owner.products.create(shop.a.id, {
      name: "Monthly",
      price: 1_000,
      currency: "BRL",
      recurring: { interval: "month", interval_count: 1 },
    });
    const [can, cannot] = [
      await addMethod({ supports_recurring: true }),
      await addMethod({ supports_recurring: false }),
    ];
    const items = [{ product_id: product.id, quantity: 1 }];
    const { payment_methods } = await shop.storefront.checkout.view(
      shop.tokenOf(await shop.session({ items })),
    );
    const shown = payment_methods.map(({ id }) => id);
    expect([shown.includes(can.id), shown.includes(cannot.id)]).toEqual([true, false]);
  });
});

test("each mode asks its own gateway of one name", async () => {
  const { id } = await addMethod({});
  await pay(id, shop.a.live.pub);
  await pay(id, shop.a.test.pub);
  expect(asked).toEqual(["live", "test"]);
});

test("a method that the host settles by itself has no gateway to ask", async () => {
  const { id } = await addMethod({ gateway: null });
  const { isShown, paid } = await pay(id);
  expect(isShown).toBe(true);
  expect(paid).toMatchObject({ code: "gateway_error" });
});

test("a submission without a method is refused, but for a session that costs nothing", async () => {
  const { checkout } = shop.storefront;
  const token = shop.tokenOf(await shop.session());
  expect(await thrownBy(checkout.submit(token, {}))).toMatchObject({
    code: "parameter_missing",
    param: "payment_method_id",
  });

  await shop.owner.coupons.create(shop.a.id, {
    code: "FREE",
    discount_type: "percentage",
    discount_amount: 100,
  });
  const free = shop.tokenOf(await shop.session({ coupon_code: "FREE" }));
  expect(await checkout.submit(free, {})).toMatchObject({ status: "paid" });
  expect(asked).toEqual([]);
});
