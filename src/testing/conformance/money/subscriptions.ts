import type {
  Renewal,
  SubscriptionCancel,
} from "../../../rules/subscriptions/subscription-commands.ts";
import { applyPayment, submitSession } from "../../../steps/checkout-steps.ts";
import { cancelSubscription, renew } from "../../../steps/subscription-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Makes a paid subscription, and the reports of its next period's payment. */
export async function subscribed(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { partition, orderIds } = fixtures(context);

  const order = await paymentFixtures(context).paidOrder(true);
  const subscription_id = order.subscription_id ?? "";
  const found = await storage.orders.find("subscription", partition, subscription_id);
  if (!found) throw new Error("The payment made no subscription.");

  const renewal = (changes: Partial<Renewal> = {}): Renewal => ({
    ...partition,
    subscription_id,
    period_start: found.current_period_end,
    paid: true,
    failure_code: "declined",
    reference: "r",
    attempt_id: newId("pay"),
    amount: 1000,
    currency: "BRL",
    ids: orderIds(),
    now: clock.now(),
    ...changes,
  });
  const cancel = (when: SubscriptionCancel["when"]) =>
    cancelSubscription(storage.orders, {
      ...partition,
      subscription_id,
      when,
      ids: orderIds(),
      now: clock.now(),
    });
  return { partition, order, subscription: found, renewal, cancel };
}

/** Checks the renewals of subscriptions. */
export const subscriptionCases: readonly StorageCase[] = [
  {
    name: "twenty concurrent reports of one period renew it once",
    async run(context) {
      const { storage, assert } = context;
      const { order, subscription, renewal } = await subscribed(context);
      const { events } = fixtures(context);
      assert.equal(subscription.latest_order_id, order.id);

      const renewed = await times(20, () => renew(storage.orders, renewal()));
      assert.equal(renewed.filter(({ outcome }) => outcome === "renewed").length, 1);
      assert.equal(renewed.filter(({ outcome }) => outcome === "unchanged").length, 19);
      assert.equal(
        new Set(renewed.map((result) => ("order" in result ? result.order.id : null))).size,
        1,
      );
      assert.deepEqual(
        (await events()).map(({ sequence }) => sequence),
        [1, 2, 3, 4, 5, 6, 7],
      );
      assert.equal(
        (await renew(storage.orders, renewal({ period_start: 1 }))).outcome,
        "unknown_period",
      );
    },
  },
  {
    name: "other money for a paid period is a duplicate, whatever its amount",
    async run(context) {
      const { storage, assert } = context;
      const { partition, renewal } = await subscribed(context);
      const { alerts } = paymentFixtures(context);

      const renewed = await renew(storage.orders, renewal());
      const order_id = "order" in renewed ? renewed.order.id : "";
      const again = renewal({ reference: "other", amount: 5, currency: "USD" });
      const told = await times(5, () => renew(storage.orders, { ...again }));
      assert.deepEqual(told.map(({ outcome }) => outcome).sort(), [
        "duplicate",
        ...Array(4).fill("unchanged"),
      ]);
      assert.equal((await renew(storage.orders, renewal())).outcome, "unchanged");

      const money = await storage.orders.listPayments(partition, order_id);
      assert.deepEqual(
        money.map(({ state, amount, currency }) => [state, amount, currency]),
        [
          ["booked", 1000, "BRL"],
          ["duplicate", 5, "USD"],
        ],
      );
      const attempt = await storage.orders.find("attempt", partition, again.attempt_id);
      assert.deepEqual(
        [attempt?.state, attempt?.received_amount, attempt?.received_currency],
        ["duplicate", 5, "USD"],
      );
      assert.deepEqual(await alerts(), ["duplicate_payment"]);
    },
  },
  {
    name: "a failed payment that succeeds after another one paid the period is a duplicate",
    async run(context) {
      const { storage, assert } = context;
      const { renewal } = await subscribed(context);

      await renew(storage.orders, renewal({ paid: false, reference: "first" }));
      assert.equal((await renew(storage.orders, renewal())).outcome, "renewed");
      const late = await renew(storage.orders, renewal({ reference: "first" }));
      assert.equal(late.outcome, "duplicate");
    },
  },
  {
    name: "money for a period that a session has paid is a duplicate of the session's order",
    async run(context) {
      const { storage, assert } = context;
      const { partition, subscription, renewal } = await subscribed(context);
      const { openSession, submission } = fixtures(context);
      const { alerts, result } = paymentFixtures(context);

      const period_start = subscription.current_period_end;
      const link = await openSession({
        renews: { subscription_id: subscription.id, period_start },
      });
      const submitted = await submitSession(storage.orders, submission(link));
      if (submitted.outcome !== "submitted" || !submitted.attempt)
        throw new Error(`Not submitted: ${submitted.outcome}.`);
      await applyPayment(storage.orders, result(submitted.attempt, "succeeded"));

      const told = await times(5, () => renew(storage.orders, renewal({ reference: "host" })));
      assert.deepEqual(told.map(({ outcome }) => outcome).sort(), [
        "duplicate",
        ...Array(4).fill("unchanged"),
      ]);
      const money = await storage.orders.listPayments(partition, submitted.order.id);
      assert.deepEqual(money.map(({ state }) => state).sort(), ["booked", "duplicate"]);
      assert.deepEqual(await alerts(), ["duplicate_payment"]);
    },
  },
  {
    name: "money after the end of a subscription is a duplicate of its latest order",
    async run(context) {
      const { storage, assert } = context;
      const { partition, order, subscription, renewal, cancel } = await subscribed(context);
      const { alerts } = paymentFixtures(context);
      const { events } = fixtures(context);

      await cancel("at_period_end");
      const ending = await renew(storage.orders, renewal({ reference: "ending" }));
      assert.equal(ending.outcome, "after_end");
      await cancel("now");
      const written = (await events()).length;
      const late = renewal({
        reference: "late",
        amount: 5,
        period_start: subscription.current_period_end + 86_400_000,
      });
      const told = await times(5, () => renew(storage.orders, { ...late }));
      assert.deepEqual(told.map(({ outcome }) => outcome).sort(), [
        "after_end",
        ...Array(4).fill("unchanged"),
      ]);

      const money = await storage.orders.listPayments(partition, order.id);
      assert.deepEqual(
        money.map(({ state, amount }) => [state, amount]),
        [
          ["booked", 1000],
          ["duplicate", 1000],
          ["duplicate", 5],
        ],
      );
      assert.deepEqual(await alerts(), ["payment_after_end", "payment_after_end"]);
      assert.equal((await events()).length, written);
      const failed = await renew(storage.orders, renewal({ paid: false, reference: "no" }));
      assert.equal(failed.outcome, "invalid_transition");
    },
  },
  {
    name: "a renewal beside the end of its subscription pays its period, or is money after the end",
    async run(context) {
      const { storage, assert } = context;
      const { partition, subscription, renewal, cancel } = await subscribed(context);

      const [told] = await Promise.all([
        renew(storage.orders, renewal()),
        cancel("now"),
        renew(storage.orders, renewal({ paid: false, reference: "no" })),
      ]);
      assert.ok(["renewed", "after_end"].includes(told.outcome), told.outcome);

      const ended = await storage.orders.find("subscription", partition, subscription.id);
      assert.equal(ended?.status, "canceled");
      const repeated = await renew(storage.orders, renewal());
      assert.equal(repeated.outcome, "unchanged");
    },
  },
];
