import type { Renewal } from "../../rules/order-commands.ts";
import { type StorageCase, times } from "./case.ts";
import { fixtures } from "./fixtures.ts";
import { paymentFixtures } from "./payment-fixtures.ts";

/** Renewals of subscriptions. */
export const subscriptionCases: readonly StorageCase[] = [
  {
    name: "twenty concurrent reports of one period renew it once",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { partition, orderIds, events } = fixtures(context);
      const { paidOrder } = paymentFixtures(context);

      const order = await paidOrder(true);
      const subscription = await storage.orders.findSubscription(
        partition,
        order.subscription_id ?? "",
      );
      assert.equal(subscription?.latest_order_id, order.id);

      const renewal = (): Renewal => ({
        ...partition,
        subscription_id: subscription?.id ?? "",
        period_start: subscription?.current_period_end ?? 0,
        paid: true,
        failure_code: "declined",
        reference: "r",
        attempt_id: newId("pay"),
        amount: 1000,
        currency: "BRL",
        ids: orderIds(),
        now: clock.now(),
      });
      const renewed = await times(20, () => storage.orders.renew(renewal()));
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
        (await storage.orders.renew({ ...renewal(), period_start: 1 })).outcome,
        "unknown_period",
      );
    },
  },
];
