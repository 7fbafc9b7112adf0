import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, type Storage, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { declineReason } from "../../src/rules/payments/decline-reasons.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("why a payment was refused, on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage);
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });

  async function refuse(decline_code: unknown) {
    const made = await shop.session();
    const token = shop.tokenOf(made);
    const { order } = await shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
      input: { outcome: "decline", decline_code },
    });
    const { data } = await shop.owner.payments.list({ ...where(), order_id: order.id });
    const view = await shop.storefront.checkout.view(token);
    return { order, token, payment: data[0], view };
  }

  test("stands with the payment, in the order's timeline and in the export", async () => {
    const { order, payment } = await refuse("insufficient_funds");
    expect(order).toMatchObject({ status: "failed", failure_code: "declined" });
    expect(payment).toMatchObject({ status: "failed", decline_code: "insufficient_funds" });

    const entries = await shop.owner.orders.timeline({ ...where(), order_id: order.id });
    expect(entries.find(({ type }) => type === "attempt")).toMatchObject({
      attempt: { failure_code: "declined", decline_code: "insufficient_funds" },
    });
    const { body } = await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec });
    expect(JSON.stringify(body)).not.toContain("insufficient_funds");
  });

  test("is told to the buyer as far as it helps, and is gone once the next payment runs", async () => {
    const { token, view } = await refuse("expired_card");
    expect(view.refusal).toBe("card_expired");

    await shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
      input: { outcome: "qr_code" },
    });
    expect((await shop.storefront.checkout.view(token)).refusal).toBeNull();
  });

  test.each(["stolen_card", "lost_card", "fraudulent", "merchant_blacklist", "not_known_to_us"])(
    "%s is the owner's to know, and not the buyer's",
    async (code) => {
      const { payment, view } = await refuse(code);
      expect(payment?.decline_code).toBe(code);
      expect(view.refusal).toBeNull();
    },
  );
});

/** Opens a shop whose gateway refuses every payment with this. */
async function refusingShop(decline_code: unknown): Promise<Shop> {
  const sandbox = sandboxGateway();
  const gateway: PaymentGateway = {
    ...sandbox,
    createPayment: async (request) =>
      ({ ...(await sandbox.createPayment(request)), status: "failed", decline_code }) as never,
  };
  return createShop(memoryStorage(), { gateways: [gateway] });
}

test.each([
  [{ code: "x" }],
  ["a".repeat(10_000)],
  ["<script>alert(1)</script>"],
  ["no funds"],
  [7],
  [""],
])(
  "a code that cannot be one is dropped and reported, and the refusal stands: %j",
  async (code) => {
    const shop = await refusingShop(code);
    const order = await shop.buy();
    expect(order).toMatchObject({ status: "failed", failure_code: "declined" });

    const where = { store_id: shop.a.id, livemode: false };
    const { data } = await shop.owner.payments.list(where);
    expect(data[0]).toMatchObject({ status: "failed", decline_code: null });
    expect(String(shop.errors[0])).toContain("decline_code cannot be used");
  },
);

test("names of an object's own are no codes", () => {
  for (const code of ["constructor", "__proto__", "toString"])
    expect(declineReason(code)).toBeNull();
});
