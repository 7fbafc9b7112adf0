import { expect, test } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createShop } from "../support/shop.ts";

// What a gateway's answer says is read above every storage, so that memory is enough.
test.each([
  ["an amount of its own", 400, 400],
  ["no amount", undefined, 500],
  ["null", null, 500],
  ["0", 0, 500],
  ["a negative amount", -400, 500],
  ["a fraction", 0.5, 500],
  ["no number", Number.NaN, 500],
  ["a text", "400", 500],
])("a refund of 500 that the gateway answers with %s", async (_name, amount, booked) => {
  const answer = { status: "succeeded", reference: "re_1", amount } as const;
  const gateway = { ...sandboxGateway(), refund: async () => answer } as unknown as PaymentGateway;
  const shop = await createShop(memoryStorage(), { gateways: [gateway] });
  const order = await shop.buy();

  const refund = await shop.storefront.orders.refund(order.id, {
    store_id: shop.a.id,
    livemode: false,
    reference: "r1",
    amount: 500,
  });
  expect([refund.status, refund.amount, refund.order.amount_refunded]).toEqual([
    "succeeded",
    booked,
    booked,
  ]);
});
