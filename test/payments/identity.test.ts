import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { open, paid, scriptedShop } from "./scripted-shop.ts";

describe.each(storages)("what one payment is, on %s", (_name, openStorage) => {
  test("one reference that is used for a second attempt pays once and is no duplicate", async () => {
    const shop = await scriptedShop(await openStorage());
    const session = await shop.session();
    const first = await shop.submit(session, { ...paid, status: "failed", reference: "pi_1" });
    const second = await shop.submit(session, { ...open, reference: "pi_1" });
    expect([first.status, second.status]).toEqual(["failed", "pending"]);

    expect(await shop.tell({ ...paid, reference: "pi_1" })).toMatchObject({ outcome: "applied" });
    expect(await shop.tell({ ...paid, reference: "pi_1" })).toMatchObject({ outcome: "unchanged" });
    shop.advance(600_000);
    await shop.storefront.runMaintenance();
    expect(await shop.order(first.order.id)).toMatchObject({ status: "paid" });
    expect(await shop.money(first.order.id)).toMatchObject([
      { payment_reference: "pi_1", status: "booked" },
    ]);
    expect(await shop.alerts()).toEqual([]);
  });

  test("markPaid and complete with the reference of an attempt in flight settle that attempt", async () => {
    const shop = await scriptedShop(await openStorage());
    for (const step of ["markPaid", "complete"] as const) {
      const session = await shop.session();
      const reference = `txid_${step}`;
      const { order } = await shop.submit(session, { ...open, reference });
      const payment = { ...shop.where, reference, amount: 1000, currency: "BRL" };
      if (step === "markPaid") await shop.storefront.orders.markPaid(order.id, payment);
      else
        await shop.storefront.checkout.complete(session.body.data.id, {
          ...payment,
          status: "paid",
        });

      const message = { ...paid, reference, payment_reference: `e2e_${step}` };
      expect(await shop.tell(message)).toMatchObject({ outcome: "unchanged" });
      expect(await shop.money(order.id)).toMatchObject([
        { gateway: "sandbox", payment_reference: `e2e_${step}`, status: "booked" },
      ]);
      expect(await shop.tell(message)).toMatchObject({ outcome: "unchanged" });
    }
    expect(await shop.alerts()).toEqual([]);
  });

  test("a second payment under one reference is a duplicate, whatever its amount", async () => {
    const shop = await scriptedShop(await openStorage());
    const { order } = await shop.submit(await shop.session(), { ...open, reference: "txid" });
    await shop.tell({ ...paid, reference: "txid", payment_reference: "e2e_1" });
    await shop.tell({ ...paid, reference: "txid", payment_reference: "e2e_2", amount: 5 });
    await shop.tell({ ...paid, reference: "txid", payment_reference: "e2e_2", amount: 5 });

    expect(await shop.money(order.id)).toMatchObject([
      { payment_reference: "e2e_1", status: "booked", amount: 1000 },
      { payment_reference: "e2e_2", status: "duplicate", amount: 5 },
    ]);
    expect(await shop.alerts()).toMatchObject([
      { type: "duplicate_payment", data: { reference: "e2e_2", amount: 5, currency: "BRL" } },
    ]);
    expect(await shop.order(order.id)).toMatchObject({ status: "paid", amount_refunded: 0 });
  });

  test("money of the same id that comes for twenty orders at once pays one of them", async () => {
    const shop = await scriptedShop(await openStorage());
    const sessions = await Promise.all(Array.from({ length: 6 }, () => shop.session()));
    const payment = { ...shop.where, reference: "r1", amount: 1000, currency: "BRL" };
    const results = await Promise.allSettled(
      sessions.map((session) =>
        shop.storefront.checkout.complete(session.body.data.id, { ...payment, status: "paid" }),
      ),
    );
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    for (const result of refused)
      expect("reason" in result && result.reason).toMatchObject({
        code: "parameter_conflict",
        param: "reference",
      });
  });

  test("our id in a message finds no payment of another account", async () => {
    const shop = await scriptedShop(await openStorage());
    shop.setAccount("acct_a");
    const { order } = await shop.submit(await shop.session(), { ...open, reference: "pi_1" });
    const found = await shop.storage.orders.findCheckout(
      shop.where,
      order.checkout_session_id ?? "",
    );
    const payment_id = found?.attempt?.id ?? "";
    const forged = { ...paid, reference: "pi_9", payment_id, account: "acct_b" };
    expect(await shop.tell(forged)).toMatchObject({ outcome: "ignored" });
    expect(await shop.order(order.id)).toMatchObject({ status: "pending" });
    expect(await shop.alerts()).toMatchObject([{ type: "payment_account_mismatch" }]);

    const own = { ...paid, reference: "pi_1", account: "acct_a" };
    expect(await shop.tell(own)).toMatchObject({ outcome: "applied" });
    expect(await shop.order(order.id)).toMatchObject({ status: "paid" });
  });

  test("the attempt keeps what came when the amount is wrong, and the owner hears the amount", async () => {
    const shop = await scriptedShop(await openStorage());
    const { order } = await shop.submit(await shop.session(), { ...open, reference: "pi_1" });
    await shop.tell({ ...paid, reference: "pi_1", amount: 999 });
    const found = await shop.storage.orders.findCheckout(
      shop.where,
      order.checkout_session_id ?? "",
    );
    expect(found?.attempt).toMatchObject({ received_amount: 999, received_currency: "BRL" });
    expect(found?.order).toMatchObject({ status: "pending" });
    expect(await shop.alerts()).toMatchObject([
      { type: "payment_mismatch", data: { reference: "pi_1", amount: 999, currency: "BRL" } },
    ]);
  });
});

describe.each(storages)("a bad field of an answer, on %s", (_name, openStorage) => {
  test("it is dropped and reported, and costs neither status nor reference", async () => {
    const shop = await scriptedShop(await openStorage());
    const { status, next_action, order } = await shop.submit(await shop.session(), {
      ...open,
      status: "requires_action",
      reference: "pi_1",
      expires_at: 5,
      next_action: { type: "redirect", url: "javascript:alert(1)" },
    });
    expect([status, next_action]).toEqual(["pending", null]);
    expect(shop.errors).toHaveLength(2);

    await shop.tell({ ...paid, reference: "pi_1", expires_at: Number.NaN });
    expect(await shop.order(order.id)).toMatchObject({ status: "paid" });
    expect(shop.errors).toHaveLength(3);
  });

  test("every action is handed on, by the submission and by the view", async () => {
    const shop = await scriptedShop(await openStorage());
    for (const next_action of [
      { type: "qr_code", text: "000201", expires_at: null },
      { type: "voucher", number: "34191", expires_at: 1 },
      { type: "client_secret", client_secret: "cs", publishable_key: "pk" },
    ] as const) {
      const session = await shop.session();
      const answer = { ...open, status: "requires_action", reference: next_action.type } as const;
      expect(await shop.submit(session, { ...answer, next_action })).toMatchObject({
        status: "requires_action",
        redirect_url: null,
        next_action,
      });
      const view = await shop.storefront.checkout.view(shop.tokenOf(session));
      expect(view.next_action).toEqual(next_action);
    }
  });
});

describe.each(storages)("duplicates and their way back, on %s", (_name, openStorage) => {
  const duplicate = async (returnDuplicates: boolean, refund: PaymentGateway["refund"]) => {
    const calls: string[] = [];
    // A payment in flight whose order is paid otherwise is canceled, where the gateway can.
    const { cancelPayment: _left, ...sandbox } = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      returnDuplicates,
      async refund(request) {
        calls.push(`${request.id} ${request.payment_reference} ${request.amount}`);
        return refund?.(request) ?? { status: "succeeded", reference: "re_1" };
      },
    };
    const shop = await createShop(await openStorage(), {
      limits: { checkout: null },
      gateways: [gateway],
    });
    const where = { store_id: shop.a.id, livemode: false };
    const session = await shop.session();
    const pending = { outcome: "pending_then_succeed" };
    const input = { payment_method_id: shop.a.method_id, input: pending };
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(session), input);
    await shop.storefront.checkout.complete(session.body.data.id, {
      ...where,
      reference: "own",
      status: "paid",
      amount: 1000,
      currency: "BRL",
    });
    shop.advance(600_000);
    await shop.storefront.runMaintenance();
    const money = () => shop.storefront.orders.listPayments(order.id, where);
    const alerts = async () => (await shop.owner.alerts.list(shop.a.id)).data;
    return { shop, where, order, calls, money, alerts };
  };

  test("no duplicate goes back by itself; the owner sends it back once", async () => {
    const { shop, where, order, calls, money } = await duplicate(false, undefined);
    shop.advance(86_400_000);
    await shop.storefront.runMaintenance();
    expect(calls).toEqual([]);

    const [booked, second] = await money();
    expect([booked?.status, second?.status]).toEqual(["booked", "duplicate"]);
    expect(
      await thrownBy(shop.storefront.orders.returnPayment(booked?.id ?? "", where)),
    ).toMatchObject({
      code: "invalid_transition",
    });
    const returned = await Promise.all(
      Array.from({ length: 5 }, () =>
        shop.storefront.orders.returnPayment(second?.id ?? "", where),
      ),
    );
    expect(new Set(calls).size).toBe(1);
    expect(returned.some(({ status }) => status === "returned")).toBe(true);
    expect((await money()).map(({ status }) => status)).toEqual(["booked", "returned"]);
    expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
      status: "paid",
      amount_refunded: 0,
    });
  });

  test("with returnDuplicates it goes back ten minutes after it came", async () => {
    const { shop, calls, money } = await duplicate(true, undefined);
    expect(calls).toEqual([]);
    shop.advance(600_000);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ duplicates_returned: 1 });
    expect(calls).toHaveLength(1);
    expect((await money()).map(({ status }) => status)).toEqual(["booked", "returned"]);
  });

  test("six refusals in a day end the tries and tell the owner", async () => {
    const refused = async () => ({ status: "failed", reference: null }) as const;
    const { shop, calls, money, alerts } = await duplicate(true, refused);
    for (let hour = 0; hour < 26; hour += 1) {
      shop.advance(3_600_000);
      await shop.storefront.runMaintenance();
    }
    expect(calls).toHaveLength(6);
    expect(new Set(calls).size).toBe(6);
    expect((await money()).map(({ status }) => status)).toEqual(["booked", "return_failed"]);
    expect((await alerts()).map(({ type }) => type).sort()).toEqual([
      "duplicate_payment",
      "return_failed",
    ]);
  });
});
