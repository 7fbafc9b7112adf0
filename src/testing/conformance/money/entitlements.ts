import type { LineDelivery } from "../../../rules/entitlements/entitlement-record.ts";
import type { PaymentApplication } from "../../../rules/orders/order-commands.ts";
import { keyTerm } from "../../../rules/orders/order-terms.ts";
import { applyPayment } from "../../../steps/checkout-steps.ts";
import { activateLicense, deactivateLicense } from "../../../steps/license-steps.ts";
import { applyRefundMessage, closeDispute, openDispute } from "../../../steps/order-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { refundFixtures } from "../fixtures/refund-fixtures.ts";

/** Checks what buyers get: it is granted by the payment, and taken back with the money. */
export const entitlementCases: readonly StorageCase[] = [
  {
    name: "an entitlement is granted once, however many reports of the payment come at once",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition } = fixtures(context);
      const { pay, deliveries, told, order, session_id } = await delivering(context);

      const paid = await times(8, () => applyPayment(storage.orders, pay()));
      assert.equal(paid.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.deepEqual(
        (await order()).entitlements,
        deliveries.map((delivery) => ({
          ...delivery,
          item_id: paid.flatMap((one) => ("order" in one ? (one.order.items[0]?.id ?? "") : ""))[0],
          product_id: "prod_1",
          quantity: 1,
          granted_at: clock.now(),
          revoked_at: null,
        })),
      );
      assert.deepEqual(await told(), ["entitlement.granted"]);

      const found = await storage.checkout.findSession(partition, session_id);
      assert.ok(found?.session.lines.every((line) => !("delivery" in line)));
    },
  },
  {
    name: "an entitlement is not left with the buyer by a refund that races the payment",
    async run(context) {
      const { storage, assert } = context;
      const { pay, told, order, refund } = await delivering(context);

      const money = { reference: "re_1", amount: 1000 };
      await Promise.all([
        ...Array.from({ length: 4 }, () => applyPayment(storage.orders, pay())),
        ...Array.from({ length: 4 }, (_, index) =>
          applyRefundMessage(storage.orders, refund({ ...money, notification_id: `n${index}` })),
        ),
      ]);
      // The provider repeats a message that came before the payment was known.
      await applyRefundMessage(storage.orders, refund({ ...money, notification_id: "again" }));

      const { status, entitlements } = await order();
      assert.equal(status, "refunded");
      assert.ok(entitlements?.every(({ revoked_at }) => revoked_at !== null));
      assert.deepEqual(await told(), ["entitlement.granted", "entitlement.revoked"]);
    },
  },
  {
    name: "an entitlement is revoked by a refund in full alone, and granted again when that fails",
    async run(context) {
      const { storage, assert } = context;
      const { pay, told, order, refund } = await delivering(context);
      const tell = (money: Parameters<typeof refund>[0]) =>
        applyRefundMessage(storage.orders, refund(money));
      const stands = async () =>
        (await order()).entitlements?.every(({ revoked_at }) => revoked_at === null);

      await applyPayment(storage.orders, pay());
      const before = (await order()).entitlements;
      await tell({ reference: "re_1", amount: 400, notification_id: "n1" });
      assert.equal(await stands(), true);

      const rest = { reference: "re_2", amount: 600 };
      await times(5, (index) => tell({ ...rest, notification_id: `n2-${index}` }));
      assert.equal(await stands(), false);

      const failed = { ...rest, status: "failed" as const };
      await times(5, (index) => tell({ ...failed, notification_id: `n3-${index}` }));
      assert.deepEqual((await order()).entitlements, before);
      assert.deepEqual(await told(), [
        "entitlement.granted",
        "entitlement.revoked",
        "entitlement.granted",
      ]);
    },
  },
  {
    name: "an entitlement is revoked once by dispute and refund at once; won disputes grant it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds } = fixtures(context);
      const { pay, told, order, refund } = await delivering(context);

      await applyPayment(storage.orders, pay());
      const { id: order_id, entitlements: before } = await order();
      const step = () => ({
        ...partition,
        order_id,
        money: null,
        ids: orderIds(),
        now: clock.now(),
      });
      const tell = (status: "succeeded" | "failed", notification_id: string) =>
        applyRefundMessage(
          storage.orders,
          refund({ reference: "re_1", amount: 1000, status, notification_id }),
        );
      const open = (id: string) =>
        openDispute(storage.orders, {
          ...step(),
          dispute: { id, amount: null, reason: null, due_by: null },
          inquiry: false,
        });
      await Promise.all([open("dp_1"), tell("succeeded", "n1"), open("dp_2")]);
      assert.deepEqual(await told(), ["entitlement.granted", "entitlement.revoked"]);

      // The refund is undone under the dispute: nothing is the buyer's until it is won.
      await tell("failed", "n2");
      for (const dispute_id of ["dp_1", "dp_2"])
        await closeDispute(storage.orders, { ...step(), dispute_id, result: "won" });
      const { status, entitlements } = await order();
      assert.equal(status, "paid");
      assert.deepEqual(entitlements, before);
      assert.deepEqual((await told()).length, 3);
    },
  },
  {
    name: "activations of a license key never pass its limit, however many come at once",
    async run(context) {
      const { storage, newId, clock, assert } = context;
      const { partition, storeB } = { ...fixtures(context), storeB: newId("str") };
      const { pay, order, refund } = await delivering(context);
      await applyPayment(storage.orders, pay());
      const { id: order_id, entitlements = [] } = await order();
      const entitlement_id = entitlements[0]?.id ?? "";
      const step = () => ({ ...partition, order_id, entitlement_id, now: clock.now() });
      const activate = (name: string) =>
        activateLicense(storage.orders, { ...step(), id: newId("act"), name });
      const names = async () =>
        (await order()).entitlements?.[0]?.activations?.map(({ name }) => name).sort();

      const same = await times(6, () => activate("one"));
      const ids = same.map((result) => (result.outcome === "activated" ? result.id : ""));
      assert.equal(new Set(ids).size, 1);
      const all = await times(9, (index) => activate(`more-${index}`));
      assert.equal(all.filter(({ outcome }) => outcome === "activated").length, 2);
      assert.equal(all.filter(({ outcome }) => outcome === "limit").length, 7);
      assert.equal((await names())?.length, 3);

      const [instance_id = ""] = ids;
      await times(4, () => deactivateLicense(storage.orders, { ...step(), instance_id }));
      assert.deepEqual((await activate("two")).outcome, "activated");
      assert.equal((await names())?.length, 3);

      const find = async (store_id: string, key_hash: string) => {
        const of = { store_id, livemode: partition.livemode, limit: 1 };
        const found = await storage.backOffice.searchOrders({
          ...of,
          terms: [keyTerm("x"), keyTerm(key_hash)],
        });
        return found.outcome === "listed" ? found.orders.map(({ id }) => id) : null;
      };
      assert.deepEqual(await find(partition.store_id, "h"), [order_id]);
      assert.deepEqual(await find(partition.store_id, "other"), []);
      assert.deepEqual(await find(storeB, "h"), []);

      const whole = { reference: "re_1", amount: 1000, notification_id: "n1" };
      await applyRefundMessage(storage.orders, refund(whole));
      assert.equal((await activate("one")).outcome, "revoked");
    },
  },
];

/** Starts the payment of a session that delivers a license key. */
async function delivering(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { shop, session, openSession, events, orderIds, partition } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const { messageOf } = refundFixtures(context);

  const deliveries: readonly LineDelivery[] = [
    {
      id: newId("ent"),
      content: {
        type: "license_key",
        key_hash: "h",
        sealed_key: "s",
        last4: "7QX2",
        activations: 3,
      },
    },
  ];
  await shop();
  const lines = session().lines.map((line, index) => {
    const delivery = deliveries[index];
    return delivery ? { ...line, delivery } : line;
  });
  const opened = await openSession({ lines });
  const attempt = await start(opened);
  const payment_reference = `money_${attempt.id}`;

  return {
    deliveries,
    session_id: opened.id,
    /** Makes one more report of the payment, with ids of its own. */
    pay: (): PaymentApplication => ({
      ...result(attempt, "succeeded", { payment_reference }),
      ids: orderIds(),
      now: clock.now(),
    }),
    refund: (told: Parameters<typeof messageOf>[1]) =>
      messageOf({ id: attempt.order_id, currency: attempt.currency, payment_reference }, told),
    async order() {
      const order = await storage.orders.find("order", partition, attempt.order_id);
      if (!order) throw new Error("There is no order.");
      return order;
    },
    /** Gives the types of the events about entitlements, in their order. */
    told: async () =>
      (await events()).map(({ type }) => type).filter((type) => type.startsWith("entitlement.")),
  };
}
