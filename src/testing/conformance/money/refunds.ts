import { applyRefundMessage, reserveRefund, settleRefund } from "../../../steps/order-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { refundFixtures } from "../fixtures/refund-fixtures.ts";

/** Checks refunds: they are reserved, settled and booked. */
export const refundCases: readonly StorageCase[] = [
  {
    name: "twenty concurrent refunds reserve no more than the total, and each is booked once",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds } = fixtures(context);
      const { paidOrder } = paymentFixtures(context);
      const { refund } = refundFixtures(context);

      const order = await paidOrder();
      const reserved = await times(20, (index) =>
        reserveRefund(storage.orders, refund(order, { reference: `r${index}`, amount: 300 })),
      );
      assert.equal(reserved.filter(({ outcome }) => outcome === "reserved").length, 3);
      assert.equal(reserved.filter(({ outcome }) => outcome === "exceeds_balance").length, 17);

      const [first, second, third] = reserved.flatMap((result) =>
        result.outcome === "reserved" ? [result.refund] : [],
      );
      const settle = (refund_id = "", succeeded = true) =>
        settleRefund(storage.orders, {
          ...partition,
          order_id: order.id,
          refund_id,
          key_attempt: 0,
          report: {
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

      const after = await storage.orders.find("order", partition, order.id);
      assert.deepEqual(
        [after?.status, after?.amount_refunded, after?.amount_refunding],
        ["partially_refunded", 300, 300],
      );

      clock.advance(60_000);
      const due = await times(4, () =>
        storage.orders.claimWork("refunds", {
          now: clock.now(),
          until: clock.now() + 1000,
          limit: 10,
        }),
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
      const { paidOrder } = paymentFixtures(context);
      const { refund } = refundFixtures(context);

      const order = await paidOrder();
      const told = { ...refund(order, { reference: "r1", amount: null }), moved_by_host: true };
      const results = await times(5, () => reserveRefund(storage.orders, told));
      assert.ok(results.every((result) => "refund" in result && result.refund.amount === 1000));
      assert.equal(results.filter(({ outcome }) => outcome === "refunded").length, 1);
      assert.equal((await events()).filter(({ type }) => type === "order.refunded").length, 1);
      assert.equal(
        (await reserveRefund(storage.orders, { ...told, order_id: "ord_none" })).outcome,
        "unknown_order",
      );
    },
  },
  {
    name: "messages about refunds count once each, and one that fails later is taken back",
    async run(context) {
      const { storage, assert } = context;
      const { events, partition } = fixtures(context);
      const { paidOrder, alerts } = paymentFixtures(context);
      const { refundMessage } = refundFixtures(context);
      const tell = async (told: Parameters<typeof refundMessage>[1]) =>
        applyRefundMessage(storage.orders, await refundMessage(order, told));

      const order = await paidOrder();
      const same = await times(10, () =>
        tell({ notification_id: "n1", reference: "re_1", amount: 400 }),
      );
      assert.equal(same.filter(({ outcome }) => outcome === "applied").length, 1);
      const others = await times(10, (index) =>
        tell({ notification_id: `n2-${index}`, reference: "re_2", amount: 700 }),
      );
      assert.equal(others.filter(({ outcome }) => outcome === "applied").length, 1);

      const after = await storage.orders.find("order", partition, order.id);
      assert.deepEqual([after?.status, after?.amount_refunded], ["refunded", 1100]);
      assert.deepEqual(await alerts(), ["refund_exceeds_order"]);

      const failed = { reference: "re_2", amount: 700, status: "failed" } as const;
      const back = await times(5, (index) => tell({ notification_id: `n3-${index}`, ...failed }));
      assert.equal(back.filter(({ outcome }) => outcome === "applied").length, 1);
      const left = await storage.orders.find("order", partition, order.id);
      assert.deepEqual([left?.status, left?.amount_refunded], ["partially_refunded", 400]);

      const types = (await events()).map(({ type }) => type);
      assert.equal(types.filter((type) => type === "order.refunded").length, 2);
      assert.equal(types.filter((type) => type === "order.refund_failed").length, 1);
    },
  },
  {
    name: "a message whose money is unknown to the order is not noted, and counts elsewhere",
    async run(context) {
      const { storage, assert } = context;
      const { paidOrder } = paymentFixtures(context);
      const { refundMessage } = refundFixtures(context);

      const order = await paidOrder();
      const refunded = { notification_id: "n1", reference: "re_1", amount: 1 };
      const told = await refundMessage(order, refunded);
      const unknown = { ...told, money: { ...told.money, payment_reference: "other" } };
      for (const [message, outcome] of [
        [unknown, "unknown_payment"],
        [{ ...told, money: { ...told.money, account: "acct_1" } }, "unknown_payment"],
        [told, "applied"],
        [told, "unchanged"],
      ] as const)
        assert.equal((await applyRefundMessage(storage.orders, message)).outcome, outcome);
    },
  },
  {
    name: "refunds are found by id and listed newest first, within their store and mode",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { paidOrder } = paymentFixtures(context);
      const { refund } = refundFixtures(context);

      const order = await paidOrder();
      const ids: string[] = [];
      for (const reference of ["r1", "r2", "r3"]) {
        const made = await reserveRefund(storage.orders, refund(order, { reference, amount: 10 }));
        if ("refund" in made) ids.unshift(made.refund.id);
      }
      ids.sort().reverse();

      const list = async (query: object): Promise<readonly string[]> =>
        (await storage.orders.listRefunds({ ...partition, limit: 10, ...query })).map(
          ({ id }) => id,
        );
      assert.deepEqual(await list({}), ids);
      assert.deepEqual(await list({ order_id: order.id, after: ids[0] }), ids.slice(1));
      assert.deepEqual(await list({ limit: 1 }), ids.slice(0, 2));
      assert.deepEqual(await list({ order_id: "ord_none" }), []);
      assert.deepEqual(await list({ livemode: true }), []);

      const [id = ""] = ids;
      assert.equal((await storage.orders.find("refund", partition, id))?.id, id);
      const elsewhere = { ...partition, store_id: "str_B" };
      assert.equal(await storage.orders.find("refund", elsewhere, id), null);
    },
  },
];
