import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type {
  GatewayNotification,
  GatewayRefund,
  PaymentGateway,
  PaymentResult,
} from "vitrine/gateway";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const paid = { status: "succeeded", reference: "r", amount: 1000, currency: "BRL" };
const noHeader = (): undefined => undefined;
const throwing = (field: string): object =>
  Object.defineProperty({ ...paid }, field, {
    enumerable: true,
    get() {
      throw new Error(`no ${field}`);
    },
  });

describe.each(storages)("values that no gateway may give, on %s", (_name, open) => {
  const shopWith = async (gateway: Partial<PaymentGateway>) => {
    const shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [{ ...sandboxGateway(), ...gateway }],
    });
    const where = { store_id: shop.a.id, livemode: false };
    return {
      ...shop,
      where,
      submit: async () =>
        shop.storefront.checkout.submit(shop.tokenOf(await shop.session()), {
          payment_method_id: shop.a.method_id,
        }),
      tell: (gateway_id = "sandbox") =>
        shop.storefront.checkout.handleNotification(gateway_id, {
          livemode: false,
          body: new Uint8Array(),
          header: () => undefined,
        }),
      money: async (id: string) => shop.storefront.orders.listPayments(id, where),
    };
  };

  test.each([
    ["no amount", { ...paid, amount: undefined }, "amount"],
    ["a negative amount", { ...paid, amount: -1000 }, "amount"],
    ["no currency", { ...paid, currency: undefined }, "currency"],
    ["an empty currency", { ...paid, currency: "" }, "currency"],
    ["a currency in lower case", { ...paid, currency: "brl" }, "currency"],
    ["a reference with NUL", { ...paid, reference: "r\0" }, "reference"],
    ["a reference with half of a pair", { ...paid, reference: "r\ud800" }, "reference"],
    ["a reference of a page", { ...paid, reference: "é".repeat(3_000) }, "reference"],
    ["an id of the money with NUL", { ...paid, payment_reference: "\0" }, "payment_reference"],
    ["a getter that throws", throwing("amount"), "amount"],
    ["a list", [paid], "status"],
  ])(
    "a payment with %s counts as no answer, and the next one counts",
    async (_words, said, field) => {
      let answer: unknown = said;
      const shop = await shopWith({
        createPayment: async () => answer as PaymentResult,
        getPayment: async () => answer as PaymentResult,
      });
      const { status, order } = await shop.submit();
      expect([status, await shop.money(order.id)]).toEqual(["pending", []]);
      expect(String(shop.errors)).toContain(field);
      expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);

      answer = paid;
      shop.advance(60_000);
      expect(await shop.storefront.runMaintenance()).toMatchObject({ payments_settled: 1 });
      expect(await shop.money(order.id)).toMatchObject([{ status: "booked", amount: 1000 }]);
    },
  );

  test("an empty id names no money: two orders that have it are both paid", async () => {
    for (const answer of [
      { ...paid, reference: "" },
      { ...paid, payment_reference: "" },
    ]) {
      let number = 0;
      const shop = await shopWith({
        async createPayment() {
          number += 1;
          const reference = answer.reference && `r${number}`;
          return { ...answer, reference } as PaymentResult;
        },
      });
      expect(await shop.submit()).toMatchObject({ status: "paid" });
      expect(await shop.submit()).toMatchObject({ status: "paid" });
    }
  });

  test.each([
    ["also_received", [{ payment_reference: "m\0", amount: 5 }]],
    ["also_received", [{ payment_reference: "m", amount: 0.5 }]],
    ["expires_at", 1e16],
    ["next_action", { type: "qr_code", text: "00\0", expires_at: null }],
    ["next_action", { type: "qr_code", text: "00", expires_at: null, more: 5n }],
    ["saved_method", { reference: "a", kind: "card", label: "\0" }],
  ])("%s that no storage can hold costs only itself: %o", async (field, value) => {
    const status = field === "next_action" || field === "expires_at" ? "pending" : "succeeded";
    const shop = await shopWith({
      createPayment: async () => ({ ...paid, status, [field]: value }) as PaymentResult,
    });
    const submitted = await shop.submit();
    expect(submitted.status).toBe(status === "pending" ? "pending" : "paid");
    expect(String(shop.errors)).toContain(`${field} cannot be used`);
  });

  test("an action that tells a wrong time is shown without one", async () => {
    const next_action = { type: "qr_code", text: "00", expires_at: "soon" };
    const shop = await shopWith({
      createPayment: async () => ({ ...paid, status: "pending", next_action }) as never,
    });
    const { next_action: shown } = await shop.submit();
    expect(shown).toEqual({ type: "qr_code", text: "00", expires_at: null });
  });

  test.each([
    ["failure_reason", { status: "failed", reference: "re", failure_reason: "no\0" }, "failed"],
    ["reference", { status: "succeeded", reference: "re\0" }, "succeeded"],
    ["reference", { status: "succeeded", reference: "" }, "succeeded"],
  ])("a refund whose %s cannot be stored is written without it", async (_field, said, status) => {
    const shop = await shopWith({
      createPayment: async () => paid as PaymentResult,
      refund: async () => said as GatewayRefund,
    });
    const { order } = await shop.submit();
    const input = { ...shop.where, reference: "r1" };
    expect(await shop.storefront.orders.refund(order.id, input)).toMatchObject({ status });
  });

  const refund = {
    ...{ type: "refund", notification_id: "n", reference: "re", payment_reference: "r" },
    ...{ status: "failed", amount: 1000, currency: "BRL" },
  };
  const dispute = {
    ...{ type: "dispute_opened", notification_id: "n", reference: "dp", payment_reference: "r" },
    amount: 1000,
  };

  test.each([
    ["notification_id", { ...refund, notification_id: "n\0" }],
    ["reference", { ...refund, reference: "re\ud800" }],
    ["reference", { ...dispute, reference: "é".repeat(3_000) }],
    ["payment_reference", { ...refund, payment_reference: "r\0" }],
    ["refund_id", { ...refund, refund_id: 5 }],
    ["account", { ...dispute, account: {} }],
    ["account", { ...paid, type: "payment", notification_id: "n", account: "a\0" }],
    ["payment_id", { ...paid, type: "payment", notification_id: "n", payment_id: "p\0" }],
  ])("a fact whose %s cannot be stored is refused by name: %o", async (field, fact) => {
    const shop = await shopWith({
      createPayment: async () => paid as PaymentResult,
      parseNotification: async () => [fact] as unknown as GatewayNotification[],
    });
    await shop.submit();
    const refused = await thrownBy(shop.tell());
    expect(refused).toMatchObject({ code: "invalid_gateway_result" });
    expect(String(refused)).toContain(field);
  });

  test.each([
    { ...refund, failure_reason: 5n },
    { ...dispute, reason: {}, due_by: "soon" },
    { ...dispute, reason: "fraud\0", due_by: 1e16 },
  ])("a fact counts without the words or the time that cannot be stored: %o", async (fact) => {
    const shop = await shopWith({
      createPayment: async () => paid as PaymentResult,
      parseNotification: async () => [fact] as unknown as GatewayNotification[],
    });
    const { order } = await shop.submit();
    expect(await shop.tell()).toEqual({ outcome: "applied", order_id: order.id });
    expect((await shop.owner.disputes.list({ ...shop.where })).data).toMatchObject(
      fact.type === "refund" ? [] : [{ due_by: null }],
    );
  });

  test("a fact with a getter that throws does not keep the others from being applied", async () => {
    const told = { ...paid, type: "payment", notification_id: "n", reference: "r" };
    const shop = await shopWith({
      createPayment: async () => ({ ...paid, status: "pending" }) as PaymentResult,
      parseNotification: async () => [throwing("type"), told] as unknown as GatewayNotification[],
    });
    const { order } = await shop.submit();
    expect(String(await thrownBy(shop.tell()))).toContain("no type");
    expect(await shop.storefront.orders.retrieve(order.id, shop.where)).toMatchObject({
      status: "paid",
    });
  });

  test.each([
    [undefined, "message"],
    [null, "message"],
    [{}, "livemode"],
    [{ livemode: "test" }, "livemode"],
    [{ livemode: false, header: noHeader }, "body"],
    [{ livemode: false, body: {}, header: noHeader }, "body"],
    [{ livemode: false, body: new Uint8Array(), header: {} }, "header"],
  ])(
    "a message that a host's route did not fill is refused by name: %o",
    async (message, param) => {
      const shop = await shopWith({ parseNotification: async () => [] });
      const handled = shop.storefront.checkout.handleNotification("sandbox", message as never);
      expect(await thrownBy(handled)).toMatchObject({
        code: expect.stringMatching(/^parameter_(missing|invalid)$/),
        details: { param },
      });
    },
  );
});
