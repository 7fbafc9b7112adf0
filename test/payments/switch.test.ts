import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

type Status = PaymentResult["status"];

/** A provider whose payments stay open until a test says otherwise. */
function provider() {
  const payments = new Map<string, PaymentResult>();
  const asked: string[] = [];
  const paymentOf = (id: string): PaymentResult => {
    const payment = payments.get(id);
    if (!payment) throw new Error("There is no such payment.");
    return payment;
  };
  const settle = (id: string, status: Status, failure_code?: "canceled"): PaymentResult => {
    const settled = { ...paymentOf(id), status, ...(failure_code && { failure_code }) };
    payments.set(id, settled);
    return settled;
  };

  const gateway: PaymentGateway = {
    ...sandboxGateway(),
    async createPayment({ id, amount, currency, method }) {
      asked.push(`create ${method.type}`);
      const payment = { status: "pending", reference: `ref_${id}`, amount, currency } as const;
      payments.set(id, payment);
      return payment;
    },
    async getPayment({ id }) {
      return payments.get(id) ?? null;
    },
    async cancelPayment({ id }) {
      asked.push("cancel");
      if (paymentOf(id).status === "pending") settle(id, "failed", "canceled");
    },
  };
  return { gateway, payments, asked, settle };
}

describe.each(storages)("a buyer who changes the method or gives up, on %s", (_name, open) => {
  async function shopWith(changes: Partial<PaymentGateway> = {}) {
    const books = provider();
    const shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [{ ...books.gateway, ...changes }],
    });
    const card = await shop.owner.paymentMethods.create(shop.a.id, {
      type: "card",
      name: "Card",
      currencies: ["BRL"],
      gateway: "sandbox",
    });
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    const token = shop.tokenOf(await shop.session());
    const submit = (payment_method_id: string, idempotency_key?: string) =>
      shop.storefront.checkout.submit(token, {
        payment_method_id,
        ...(idempotency_key && { idempotency_key }),
      });
    return { ...books, shop, card, token, submit };
  }

  const typesOf = async (shop: Shop): Promise<string[]> =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data.map(
      ({ type }: { type: string }) => type,
    );
  const isPieceFree = async (shop: Shop): Promise<boolean> => (await shop.session()).status === 201;
  const idOf = (books: { payments: Map<string, unknown> }, at: number): string =>
    [...books.payments.keys()][at] ?? "";

  test("another method cancels the payment in flight and takes its place in one step", async () => {
    const made = await shopWith();
    const { shop, card, submit, asked, settle, token } = made;
    const first = await submit(shop.a.method_id);
    const second = await submit(card.id);

    expect(asked).toEqual(["create pix", "cancel", "create card"]);
    expect(second).toMatchObject({ status: "pending", order: { id: first.order.id } });
    expect(second.order.payment_method).toEqual({ type: "card" });
    expect(await isPieceFree(shop)).toBe(false);
    expect(await typesOf(shop)).toEqual(["order.created"]);

    settle(idOf(made, 1), "succeeded");
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "paid" });
    expect(await typesOf(shop)).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
    ]);
  });

  test("the same method again gets the payment in flight", async () => {
    const { shop, submit, asked } = await shopWith();
    await submit(shop.a.method_id);
    await submit(shop.a.method_id, "again");
    expect(asked).toEqual(["create pix"]);
  });

  test.each<[string, PaymentGateway["cancelPayment"]]>([
    ["throws", async () => Promise.reject(new Error("no answer"))],
    ["is refused", async () => undefined],
    ["is missing", undefined],
  ])("a cancel that %s opens no way: the answer is the payment in flight", async (_words, how) => {
    const { shop, card, submit, asked, token } = await shopWith({ cancelPayment: how });
    const { order } = await submit(shop.a.method_id);
    expect(await submit(card.id)).toMatchObject({ status: "pending", order: { id: order.id } });
    expect(asked).toEqual(["create pix"]);

    const view = await shop.storefront.checkout.cancel(token);
    expect(view.order).toMatchObject({ status: "pending" });
    expect(await isPieceFree(shop)).toBe(false);
  });

  test("a payment that was paid meanwhile pays the order, and no second one begins", async () => {
    const made = await shopWith();
    const { shop, card, submit, asked, settle } = made;
    await submit(shop.a.method_id);
    settle(idOf(made, 0), "succeeded");
    expect(await submit(card.id)).toMatchObject({ status: "paid" });
    expect(asked).toEqual(["create pix", "cancel"]);
  });

  test("of two methods at once one wins, and the other gets the winner's payment", async () => {
    let cancels = 0;
    let open = (): void => {};
    const bothCancel = new Promise<void>((resolve) => {
      open = resolve;
    });
    const made = await shopWith({
      async cancelPayment(query) {
        cancels += 1;
        if (cancels === 2) open();
        await bothCancel;
        return made.gateway.cancelPayment?.(query);
      },
    });
    const { shop, card, submit, asked } = made;
    const boleto = await shop.owner.paymentMethods.create(shop.a.id, {
      type: "boleto",
      name: "Boleto",
      currencies: ["BRL"],
      gateway: "sandbox",
    });
    await submit(shop.a.method_id);
    const [one, two] = await Promise.all([submit(card.id), submit(boleto.id)]);

    expect([one.status, two.status]).toEqual(["pending", "pending"]);
    expect(asked.filter((what) => what.startsWith("create"))).toHaveLength(2);
    expect([...made.payments.values()].filter(({ status }) => status === "pending")).toHaveLength(
      1,
    );
  });

  test("the buyer's cancel ends the payment in flight and gives back what the order held", async () => {
    const { shop, submit, token } = await shopWith();
    await submit(shop.a.method_id);
    const view = await shop.storefront.checkout.cancel(token);
    expect(view.order).toMatchObject({ status: "failed", failure_code: "canceled" });
    expect(await isPieceFree(shop)).toBe(true);
    expect(await typesOf(shop)).toEqual(["order.created", "order.failed"]);
  });

  test("a buyer who gives up after paying has paid", async () => {
    const made = await shopWith();
    await made.submit(made.shop.a.method_id);
    made.settle(idOf(made, 0), "succeeded");
    const view = await made.shop.storefront.checkout.cancel(made.token);
    expect(view.order).toMatchObject({ status: "paid" });
  });

  test("a payment in flight is canceled when the order is paid in another way", async () => {
    const made = await shopWith();
    const { shop, submit, asked } = made;
    const { order } = await submit(shop.a.method_id);
    await shop.storefront.orders.markPaid(order.id, {
      store_id: shop.a.id,
      livemode: false,
      reference: "bank-1",
      amount: 1000,
      currency: "BRL",
    });
    await shop.storefront.runMaintenance();
    expect(asked).toEqual(["create pix", "cancel"]);
    expect(made.payments.get(idOf(made, 0))).toMatchObject({ status: "failed" });
  });

  test("late money of the first method pays the order, which then shows that method", async () => {
    const made = await shopWith({ cancelPayment: async () => undefined });
    const { shop, card, submit, settle } = made;
    const { order } = await submit(shop.a.method_id);
    const where = { store_id: shop.a.id, livemode: false };
    await shop.storefront.orders.markFailed(order.id, where);
    await submit(card.id);

    settle(idOf(made, 0), "succeeded");
    shop.advance(60_000);
    await shop.storefront.runMaintenance();
    const paid = await shop.storefront.orders.retrieve(order.id, where);
    expect(paid).toMatchObject({ status: "paid", payment_method: { type: "pix" } });
  });
});
