import { describe, expect, test } from "vitest";
import { faultOnce } from "../faults.ts";
import { shuffledWithRepeats } from "../outbox.ts";
import { heldOf } from "./books.ts";
import { answerThreeDSecure, payAtBank, payOnOwnPage, payOnPage, testCards } from "./buyer.ts";
import { closeDispute, moveDispute, openDispute } from "./disputes.ts";
import { addRefund, settleRefund } from "./refunds.ts";
import { endFakesAfterEach } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

const createsSession = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && path === "/v1/checkout/sessions";

describe("a card on Stripe's page", () => {
  test("is asked for with the order's lines, our ids and one method, and paid by a message", async () => {
    const shop = await stripeShop();
    const { status, next_action, order } = await shop.submit();

    const session = shop.session();
    expect({ status, next_action }).toEqual({
      status: "requires_action",
      next_action: { type: "redirect", url: session.url },
    });
    expect(session).toMatchObject({
      amount_total: 2000,
      currency: "brl",
      payment_method_types: ["card"],
      metadata: { order_id: order.id, store_id: shop.where.store_id, livemode: "false" },
      expires_at: shop.now() / 1000 + 3600,
    });
    expect(shop.books().lines.get(session.id)).toMatchObject([
      { name: "2 × Coffee", amount: 2000 },
    ]);

    expect(payOnPage(shop.books(), session, testCards.asks)).toBe("three_d_secure");
    answerThreeDSecure(shop.books(), session, true);
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "paid", amount_total: 2000 });
    expect(shop.intent().metadata).toMatchObject({ order_id: order.id });
  });

  test("a declined card leaves the payment open, and the next one pays", async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();

    payOnPage(shop.books(), shop.session(), testCards.declines);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("pending");

    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("messages that come twice and in any order pay once", async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    addRefund(shop.books(), shop.intent(), { amount: 300, metadata: {} });

    await shop.fake.outbox.deliver(shuffledWithRepeats);
    expect(await shop.order(order)).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 300,
    });
    await shop.storefront.drainWebhooks();
    expect(shop.eventTypes().filter((type) => type === "order.paid")).toHaveLength(1);
    expect(heldOf(shop.books(), shop.intent())).toBe(1700);
  });

  test("without any message the payment is found by asking", async () => {
    const shop = await stripeShop();
    const { token, order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();

    expect((await shop.storefront.checkout.resume(token)).status).toBe("paid");
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("a session that ends unpaid fails the order as expired", async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();
    await shop.advanceClock(3_600_000);
    shop.session();
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "expired" });
  });

  test("the buyer's cancel expires the session, and a paid one is not canceled", async () => {
    const shop = await stripeShop();
    const { token, order } = await shop.submit();
    await shop.storefront.checkout.cancel(token);
    expect(shop.session().status).toBe("expired");
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "canceled" });

    const paid = await stripeShop();
    const second = await paid.submit();
    payOnPage(paid.books(), paid.session(), testCards.succeeds);
    await paid.storefront.checkout.cancel(second.token);
    expect((await paid.order(second.order)).status).toBe("paid");
  });

  test("money of another amount does not pay the order, and the owner is told", async () => {
    const shop = await stripeShop();
    const { token, order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.intent().amount_received = 1999;

    await shop.storefront.checkout.resume(token);
    expect((await shop.order(order)).status).toBe("pending");
    await shop.advanceClock(1);
    expect(shop.alerts).toContain("payment_mismatch");
  });
});

describe("answers that are lost", () => {
  test("the client repeats the request under our id, and one session is made", async () => {
    const shop = await stripeShop();
    shop.fake.wire.choose = faultOnce(createsSession, "lose_answer");
    expect((await shop.submit()).status).toBe("requires_action");
    expect(shop.session().status).toBe("open");
  });

  test("a session whose answer never came is found by our id", async () => {
    const shop = await stripeShop();
    shop.fake.wire.choose = faultOnce(createsSession, "lose_answer", 2);
    const { status, token, order } = await shop.submit();
    expect(status).toBe("pending");

    await shop.advanceClock(200_000);
    const view = await shop.storefront.checkout.view(token);
    expect(view.next_action).toEqual({ type: "redirect", url: shop.session().url });
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("a request that never arrived is unknown for an hour, and then nothing was charged", async () => {
    const shop = await stripeShop();
    shop.fake.wire.choose = faultOnce(createsSession, "lose_request", 2);
    const { order } = await shop.submit();

    await shop.advanceClock(1_800_000);
    expect((await shop.order(order)).status).toBe("pending");
    await shop.advanceClock(1_900_000);
    expect((await shop.order(order)).status).toBe("failed");
    expect(shop.books().sessions.size).toBe(0);
  });

  test("a wrong key fails the payment at once, and the host is told why", async () => {
    const shop = await stripeShop({ key: "sk_test_wrong" });
    const { order, status } = await shop.submit();
    expect({ status, code: order.failure_code }).toEqual({ status: "failed", code: "error" });
    expect(shop.errors.join()).toContain("Invalid API Key");
  });
});

describe("a boleto", () => {
  test("shows its number after Stripe's page, and is paid days later", async () => {
    const shop = await stripeShop({ type: "boleto" });
    const { token, order } = await shop.submit();
    expect(payOnPage(shop.books(), shop.session(), "")).toBe("waits");
    await shop.fake.outbox.deliver();

    const { next_action } = await shop.storefront.checkout.view(token);
    expect(next_action).toMatchObject({ type: "voucher", number: expect.stringMatching(/^0101/) });

    await shop.advanceClock(2 * 86_400_000);
    payAtBank(shop.books(), shop.intent());
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("that nobody pays fails the order as expired", async () => {
    const shop = await stripeShop({ type: "boleto" });
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), "");
    await shop.fake.outbox.deliver();

    await shop.advanceClock(3 * 86_400_000 + 1000);
    shop.books();
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "expired" });
  });

  test("that was paid on its last day is not canceled before it is confirmed", async () => {
    const shop = await stripeShop({ type: "boleto" });
    const { token, order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), "");
    await shop.storefront.checkout.resume(token);
    const lastsUntil = shop.intent().next_action?.["boleto_display_details"];
    Object.assign(lastsUntil ?? {}, { expires_at: shop.now() / 1000 + 30 * 86_400 });

    await shop.advanceClock(4 * 86_400_000);
    expect(shop.intent().status).toBe("requires_action");
    payAtBank(shop.books(), shop.intent());
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("is canceled while it waits", async () => {
    const shop = await stripeShop({ type: "boleto" });
    const { token, order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), "");
    await shop.storefront.checkout.cancel(token);
    expect(shop.intent().status).toBe("canceled");
    expect((await shop.order(order)).failure_code).toBe("canceled");
  });
});

describe("a Pix code", () => {
  test("is shown, and paid by a message", async () => {
    const shop = await stripeShop({ type: "pix" });
    const { order, next_action } = await shop.submit();
    expect(next_action).toMatchObject({ type: "qr_code", text: expect.stringContaining("PIX") });

    payAtBank(shop.books(), shop.intent());
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("that nobody pays fails the order as expired", async () => {
    const shop = await stripeShop({ type: "pix" });
    const { order } = await shop.submit();
    await shop.advanceClock(3_600_000);
    shop.books();
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "expired" });
  });

  test("in another currency is refused before an order is made", async () => {
    const shop = await stripeShop({ type: "pix", currency: "USD" });
    await expect(shop.submit()).rejects.toMatchObject({ code: "currency_mismatch" });
    expect(shop.fake.calls).toEqual([]);
  });
});

describe("money that goes back", () => {
  const paid = async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    const refund = (amount: number) =>
      shop.storefront.orders.refund(order.id, { ...shop.where, reference: `r${amount}`, amount });
    return { ...shop, paid: order, refundPart: refund };
  };

  test("a refund whose answer was lost is found, and no money moves twice", async () => {
    const shop = await paid();
    const isRefund = ({ method, path }: { method: string; path: string }) =>
      method === "POST" && path === "/v1/refunds";
    shop.fake.wire.choose = faultOnce(isRefund, "lose_answer", 2);
    expect((await shop.refundPart(500)).status).toBe("pending");

    await shop.advanceClock(120_000);
    expect(await shop.order(shop.paid)).toMatchObject({ amount_refunded: 500 });
    expect(heldOf(shop.books(), shop.intent())).toBe(1500);
  });

  test("a refund that Stripe refuses is failed with its words", async () => {
    const shop = await paid();
    shop.books().refunds_are = "refuse";
    const refund = await shop.refundPart(500);
    expect(refund).toMatchObject({
      status: "failed",
      failure_reason: expect.stringContaining("balance"),
    });
    expect((await shop.order(shop.paid)).amount_refunding).toBe(0);
  });

  test("a refund under way that fails gives its amount back", async () => {
    const shop = await paid();
    shop.books().refunds_are = "pending";
    await shop.refundPart(500);
    const [refund] = shop.books().refunds.values();
    if (!refund) throw new Error("There is no refund.");
    settleRefund(shop.books(), refund, "failed");
    await shop.fake.outbox.deliver();

    expect(await shop.order(shop.paid)).toMatchObject({ status: "paid", amount_refunded: 0 });
    await shop.storefront.drainWebhooks();
    expect(shop.eventTypes()).toContain("order.refund_failed");
  });

  test("a refund in the dashboard is booked once, whichever message tells of it", async () => {
    const shop = await paid();
    addRefund(shop.books(), shop.intent(), { amount: 700, metadata: {} });
    await shop.fake.outbox.deliver(shuffledWithRepeats);
    expect(await shop.order(shop.paid)).toMatchObject({ amount_refunded: 700 });
  });

  test("a refund that is told of before its payment finds the payment too", async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();
    addRefund(shop.books(), shop.intent(), { amount: 2000, metadata: {} });

    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "refunded", amount_refunded: 2000 });
  });

  test("a dispute opens and is lost, also when only its end is told", async () => {
    for (const told of ["all", "end"]) {
      const shop = await paid();
      const dispute = openDispute(shop.books(), shop.intent());
      if (told === "end") shop.fake.outbox.take();
      await shop.fake.outbox.deliver();
      closeDispute(shop.books(), dispute, "lost");
      await shop.fake.outbox.deliver();
      expect((await shop.order(shop.paid)).status).toBe("chargeback");
    }
  });

  test("a dispute that is won leaves the order paid", async () => {
    const shop = await paid();
    const dispute = openDispute(shop.books(), shop.intent());
    await shop.fake.outbox.deliver();
    expect((await shop.order(shop.paid)).status).toBe("chargeback");
    closeDispute(shop.books(), dispute, "won");
    await shop.fake.outbox.deliver();
    expect((await shop.order(shop.paid)).status).toBe("paid");
  });

  test.each(["warning_closed", "charge_refunded", "prevented"])(
    "a dispute that ends as %s is won; one that nobody told of is not recorded",
    async (status) => {
      const shop = await paid();
      const dispute = openDispute(shop.books(), shop.intent());
      await shop.fake.outbox.deliver();
      expect((await shop.order(shop.paid)).status).toBe("chargeback");
      closeDispute(shop.books(), dispute, status);
      await shop.fake.outbox.deliver();
      expect((await shop.order(shop.paid)).status).toBe("paid");

      const other = await paid();
      const untold = openDispute(other.books(), other.intent());
      other.fake.outbox.take();
      closeDispute(other.books(), untold, status);
      await other.fake.outbox.deliver();
      expect((await other.order(other.paid)).status).toBe("paid");
      // Our copy of the document is older than one of the statuses.
      for (const each of [shop, other]) (each.fake.complaints as string[]).splice(0);
    },
  );

  test("a dispute that was won is lost after all, and the reverse", async () => {
    const shop = await paid();
    const dispute = openDispute(shop.books(), shop.intent());
    for (const [result, status] of [
      ["won", "paid"],
      ["lost", "chargeback"],
      ["won", "paid"],
    ] as const) {
      closeDispute(shop.books(), dispute, result);
      await shop.fake.outbox.deliver();
      expect((await shop.order(shop.paid)).status).toBe(status);
    }
  });

  test("an inquiry raises an alert alone, until it becomes a dispute", async () => {
    const shop = await paid();
    const dispute = openDispute(shop.books(), shop.intent(), "warning_needs_response");
    await shop.fake.outbox.deliver();
    await shop.advanceClock(1);
    expect(shop.alerts).toContain("dispute_inquiry");
    expect((await shop.order(shop.paid)).status).toBe("paid");

    moveDispute(shop.books(), dispute, "needs_response");
    await shop.fake.outbox.deliver();
    expect((await shop.order(shop.paid)).status).toBe("chargeback");
  });
});

describe("cards on the checkout page, by the flow `element`", () => {
  const element = { stripe: { flow: "element", publishableKey: "pk_test_1" } } as const;

  test("a page that runs scripts gets the secret of an intent of the order's amount", async () => {
    const shop = await stripeShop(element);
    const { next_action, order } = await shop.submit({ on_page: true });
    expect(next_action).toEqual({
      type: "client_secret",
      client_secret: shop.intent()["client_secret"],
      publishable_key: "pk_test_1",
    });
    expect(shop.intent().amount).toBe(2000);
    payOnOwnPage(shop.books(), shop.intent(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "paid" });
  });

  test.each([false, undefined])(
    "with on_page %s the buyer goes to Stripe's page",
    async (on_page) => {
      const shop = await stripeShop(element);
      expect((await shop.submit({ on_page })).next_action?.type).toBe("redirect");
    },
  );

  test("a boleto stays on Stripe's page", async () => {
    const shop = await stripeShop({ ...element, type: "boleto" });
    expect((await shop.submit({ on_page: true })).next_action?.type).toBe("redirect");
  });

  test("who leaves the element pays one payment: the intent is canceled first", async () => {
    const shop = await stripeShop(element);
    const { token, order } = await shop.submit({ on_page: true });
    const intent = shop.intent();
    const payment_method_id = (await shop.storefront.checkout.view(token)).element
      ?.payment_method_id;
    const again = { payment_method_id, on_page: false };
    const moved = await shop.storefront.checkout.submit(token, again);
    expect([moved.next_action?.type, intent.status]).toEqual(["redirect", "canceled"]);
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "paid" });
    expect(shop.fake.complaints).toEqual([]);
  });
});
