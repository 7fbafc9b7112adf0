import type { DisputeOpening } from "../../../rules/disputes/dispute-commands.ts";
import { closeDispute, openDispute } from "../../../steps/order-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks the disputes of paid orders. */
export const disputeCases: readonly StorageCase[] = [
  {
    name: "ten concurrent openings make one dispute, and winning it restores the order",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds, events } = fixtures(context);
      const { paidOrder } = paymentFixtures(context);

      const order = await paidOrder();
      const dispute = { id: "dp_1", amount: 1000, reason: null, due_by: null };
      const opening: DisputeOpening = {
        ...partition,
        order_id: order.id,
        dispute,
        inquiry: false,
        money: null,
        ids: orderIds(),
        now: clock.now(),
      };
      const opened = await times(10, () => openDispute(storage.orders, opening));
      assert.equal(opened.filter(({ outcome }) => outcome === "opened").length, 1);
      assert.equal((await events()).filter(({ type }) => type === "order.chargeback").length, 1);

      const close = {
        ...partition,
        order_id: order.id,
        dispute_id: "dp_1",
        result: "won" as const,
        money: null,
        ids: orderIds(),
        now: clock.now(),
      };
      assert.equal((await closeDispute(storage.orders, close)).outcome, "closed");
      assert.equal((await closeDispute(storage.orders, close)).outcome, "unchanged");
      assert.equal((await storage.orders.find("order", partition, order.id))?.status, "paid");
    },
  },
  {
    name: "an order leaves chargeback when its last dispute has closed and none was lost",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds } = fixtures(context);
      const { paidOrder } = paymentFixtures(context);

      const order = await paidOrder();
      const told = () => ({
        ...partition,
        order_id: order.id,
        money: null,
        ids: orderIds(),
        now: clock.now(),
      });
      for (const id of ["dp_1", "dp_2"]) {
        const dispute = { id, amount: null, reason: null, due_by: null };
        await openDispute(storage.orders, { ...told(), dispute, inquiry: false });
      }

      for (const [dispute_id, status] of [
        ["dp_1", "chargeback"],
        ["dp_2", "paid"],
      ] as const) {
        await closeDispute(storage.orders, { ...told(), dispute_id, result: "won" });
        assert.equal((await storage.orders.find("order", partition, order.id))?.status, status);
      }
    },
  },
];
