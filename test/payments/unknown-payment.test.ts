import { beforeEach, describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import { type GatewayNotification, sandboxNotification } from "vitrine/gateway";
import { createIds } from "../../src/domain/keys/ids.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const secret = "sandbox-secret";
const minute = 60_000;

describe.each(storages)("a message about a payment that is not known, on %s", (_name, open) => {
  let shop: Shop;

  beforeEach(async () => {
    const gateways = [sandboxGateway({ notificationSecret: secret })];
    shop = await createShop(await open(), { gateways });
  });

  const notify = async (fact: GatewayNotification) =>
    shop.storefront.checkout.handleNotification("sandbox", await sandboxNotification(secret, fact));

  const payment = (payment_id?: string): GatewayNotification => ({
    type: "payment",
    notification_id: "n1",
    status: "succeeded",
    reference: "unknown",
    amount: 1000,
    currency: "BRL",
    ...(payment_id !== undefined && { payment_id }),
  });

  const idMadeAgo = (kind: "pay" | "rf", ms: number): string => {
    const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
    return createIds({ now: () => shop.now() - ms, randomBytes })(kind);
  };

  test("with a young id of ours it is to be sent again", async () => {
    const young = idMadeAgo("pay", 15 * minute - 1);
    expect(await notify(payment(young))).toEqual({ outcome: "unknown_payment", order_id: null });
    expect(shop.alerts).toEqual([]);
  });

  test("with an old id of ours it is taken, and the host is told", async () => {
    const old = idMadeAgo("pay", 15 * minute);
    expect(await notify(payment(old))).toEqual({ outcome: "ignored", order_id: null });
    await expect.poll(() => shop.alerts).toEqual(["unknown_payment"]);
  });

  test("without an id of ours it is another shop's, and nobody is told", async () => {
    expect(await notify(payment())).toEqual({ outcome: "ignored", order_id: null });
    expect(await notify(payment("order-77"))).toEqual({ outcome: "ignored", order_id: null });
    expect(shop.alerts).toEqual([]);
  });

  test("a refund with a young id of ours is to be sent again", async () => {
    const refund: GatewayNotification = {
      type: "refund",
      notification_id: "n1",
      status: "succeeded",
      refund_id: idMadeAgo("rf", minute),
      reference: "re_1",
      payment_reference: "unknown",
      amount: 1000,
      currency: "BRL",
    };
    expect(await notify(refund)).toEqual({ outcome: "unknown_payment", order_id: null });
  });
});
