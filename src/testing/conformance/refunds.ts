import { type StorageCase, times } from "./case.ts";
import { fixtures } from "./fixtures.ts";
import { paymentFixtures } from "./payment-fixtures.ts";

/** Refunds: reserved, settled, booked. */
export const refundCases: readonly StorageCase[] = [
  {
    name: "twenty concurrent refunds reserve no more than the total, and each is booked once",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds } = fixtures(context);
      const { paidOrder, refund } = paymentFixtures(context);

      const order = await paidOrder();
      const reserved = await times(20, (index) =>
        storage.orders.reserveRefund(refund(order, { reference: `r${index}`, amount: 300 })),
      );
      assert.equal(reserved.filter(({ outcome }) => outcome === "reserved").length, 3);
      assert.equal(reserved.filter(({ outcome }) => outcome === "exceeds_balance").length, 17);

      const [first, second, third] = reserved.flatMap((result) =>
        result.outcome === "reserved" ? [result.refund] : [],
      );
      const settle = (refund_id = "", succeeded = true) =>
        storage.orders.settleRefund({
          ...partition,
          order_id: order.id,
          refund_id,
          key_attempt: 0,
          news: {
            status: succeeded ? "succeeded" : "failed",
            reference: null,
            amount: null,
            failure_reason: null,
          },
          within_call: true,
          ids: orderIds(),
          now: clock.now(),
        });
      const settled = await times(5, () => settle(first?.id));
      assert.equal(settled.filter(({ outcome }) => outcome === "refunded").length, 1);
      assert.equal((await settle(second?.id, false)).outcome, "failed");

      const after = await storage.orders.findOrder(partition, order.id);
      assert.deepEqual(
        [after?.status, after?.amount_refunded, after?.amount_refunding],
        ["partially_refunded", 300, 300],
      );

      clock.advance(60_000);
      const due = await times(4, () =>
        storage.orders.claimRefunds({ now: clock.now(), until: clock.now() + 1000, limit: 10 }),
      );
      assert.deepEqual(
        due.flat().map(({ id }) => id),
        [third?.id],
      );
    },
  },
  {
    name: "a refund that the host has moved is booked immediately, and once per reference",
    async run(context) {
      const { storage, assert } = context;
      const { events } = fixtures(context);
      const { paidOrder, refund } = paymentFixtures(context);

      const order = await paidOrder();
      const told = { ...refund(order, { reference: "r1", amount: null }), moved_by_host: true };
      const results = await times(5, () => storage.orders.reserveRefund(told));
      assert.ok(results.every((result) => "refund" in result && result.refund.amount === 1000));
      assert.equal(results.filter(({ outcome }) => outcome === "refunded").length, 1);
      assert.equal((await events()).filter(({ type }) => type === "order.refunded").length, 1);
      assert.equal(
        (await storage.orders.reserveRefund({ ...told, order_id: "ord_none" })).outcome,
        "unknown_order",
      );
    },
  },
];
