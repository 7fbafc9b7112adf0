import type { AttemptWithMoney, DisputeWithOrder } from "../../../rules/owner/list-records.ts";
import type { AttemptRecord, DisputeRecord } from "../../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../../rules/records.ts";
import { applyPayment } from "../../../steps/checkout-steps.ts";
import {
  closeDispute,
  openDispute,
  reserveRefund,
  settleRefund,
} from "../../../steps/order-steps.ts";
import { renew } from "../../../steps/subscription-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { everySecond, readByTwos, seenElsewhere } from "../fixtures/list-fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { refundFixtures } from "../fixtures/refund-fixtures.ts";
import { subscribed } from "./subscriptions.ts";

const nothing = [[], []];

/** Makes orders that are paid by an attempt, one a second. */
export async function paidOrders(
  context: CaseContext,
  count: number,
): Promise<readonly OrderRecord[]> {
  const { storage } = context;
  const { shop, openSession } = fixtures(context);
  const { start, result } = paymentFixtures(context);

  await shop();
  return everySecond(context, count, async () => {
    const attempt = await start(await openSession());
    const paid = await applyPayment(storage.orders, result(attempt, "succeeded"));
    if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);
    return paid.order;
  });
}

/** Checks payments, refunds, disputes and due subscriptions as an owner lists them. */
export const moneyListCases: readonly StorageCase[] = [
  {
    name: "attempts are listed newest first with their money, by state, order and time",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const began = clock.now();
      const attempts = await everySecond(context, 5, async (index) => {
        const attempt = await start(await openSession());
        if (index < 3) await applyPayment(storage.orders, result(attempt, "succeeded"));
        if (index === 3) await applyPayment(storage.orders, result(attempt, "failed"));
        return attempt;
      });
      const [first, second, third, failed, open] = attempts.map(({ id }) => id);
      const ids = async (filters: object) =>
        (await storage.lists.listAttempts({ ...partition, limit: 10, ...filters })).map(
          ({ attempt }) => attempt.id,
        );

      const whole = await readByTwos<AttemptWithMoney, AttemptRecord>(
        (page) => storage.lists.listAttempts({ ...partition, ...page }),
        ({ attempt }) => attempt,
      );
      assert.deepEqual(
        whole.map(({ attempt, money }) => [attempt.id, money.map((paid) => paid.state)]),
        [
          [open, []],
          [failed, []],
          [third, ["booked"]],
          [second, ["booked"]],
          [first, ["booked"]],
        ],
      );
      assert.deepEqual(await ids({ state: "succeeded" }), [third, second, first]);
      assert.deepEqual(await ids({ state: "duplicate" }), []);

      const order_id = attempts[3]?.order_id ?? "";
      assert.deepEqual(await ids({ order_id }), [failed]);
      assert.deepEqual(await ids({ order_id, state: "failed" }), [failed]);
      assert.deepEqual(await ids({ order_id, state: "succeeded" }), []);

      const range = { created_from: began + 2_000, created_to: began + 4_000 };
      assert.deepEqual(await ids(range), [third, second]);
      assert.deepEqual(
        await seenElsewhere((other) => storage.lists.listAttempts({ ...other, limit: 10 })),
        nothing,
      );
    },
  },
  {
    name: "attempts of one millisecond are listed once each, whatever the page",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession } = fixtures(context);
      const { start } = paymentFixtures(context);

      await shop();
      const sessions = await times(7, () => openSession());
      const started = await Promise.all(sessions.map((session) => start(session)));
      const listed = await readByTwos<AttemptWithMoney, AttemptRecord>(
        (page) => storage.lists.listAttempts({ ...partition, ...page }),
        ({ attempt }) => attempt,
      );
      assert.deepEqual(
        listed.map(({ attempt }) => attempt.id),
        started.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)),
      );
    },
  },
  {
    name: "refunds are listed by state, newest first",
    async run(context) {
      const { storage, clock, assert } = context;
      const { orderIds } = fixtures(context);
      const { refund } = refundFixtures(context);

      const orders = await paidOrders(context, 2);
      const reserved = await everySecond(context, 4, async (index) => {
        const order = orders[index % 2];
        if (!order) throw new Error("There is no such order.");
        const asked = { reference: `r_${index}`, amount: 100 };
        const command = refund(order, asked);
        await reserveRefund(storage.orders, command);
        return { id: command.refund.id, order_id: order.id };
      });
      const [first] = reserved;
      await settleRefund(storage.orders, {
        ...partition,
        order_id: first?.order_id ?? "",
        refund_id: first?.id ?? "",
        key_attempt: 0,
        report: { status: "succeeded", reference: "re_1", amount: null, failure_reason: null },
        within_call: true,
        ids: orderIds(),
        now: clock.now(),
      });

      const ids = async (filters: object) =>
        (await storage.orders.listRefunds({ ...partition, limit: 10, ...filters })).map(
          ({ id }) => id,
        );
      const newest = reserved.map(({ id }) => id).reverse();
      assert.deepEqual(await ids({}), newest);
      assert.deepEqual(await ids({ state: "pending" }), newest.slice(0, 3));
      assert.deepEqual(await ids({ state: "pending", after: newest[1] }), newest.slice(2, 3));
      assert.deepEqual(await ids({ state: "succeeded" }), newest.slice(3));
      assert.deepEqual(await ids({ state: "succeeded", order_id: orders[1]?.id }), []);
      assert.deepEqual(await ids({ state: "failed" }), []);
    },
  },
  {
    name: "disputes are listed with their orders by status; two orders can have one reference",
    async run(context) {
      const { storage, clock, assert } = context;
      const { orderIds } = fixtures(context);

      const orders = await paidOrders(context, 3);
      clock.advance(1_000);
      const told = (order_id: string) => ({
        ...partition,
        order_id,
        money: null,
        ids: orderIds(),
        now: clock.now(),
      });
      const facts = { id: "dp_1", amount: null, reason: null, due_by: null };
      for (const { id } of orders)
        await openDispute(storage.orders, { ...told(id), dispute: facts, inquiry: false });
      await closeDispute(storage.orders, {
        ...told(orders[0]?.id ?? ""),
        dispute_id: "dp_1",
        result: "lost",
      });

      const newest = orders.map(({ id }) => id).reverse();
      const listed = await readByTwos<DisputeWithOrder, DisputeRecord>(
        (page) => storage.lists.listDisputes({ ...partition, ...page }),
        ({ dispute }) => dispute,
      );
      assert.deepEqual(
        listed.map(({ dispute, order }) => [dispute.id, dispute.order_id, order.number]),
        newest.map((id, index) => ["dp_1", id, 3 - index]),
      );

      const ids = async (filters: object) =>
        (await storage.lists.listDisputes({ ...partition, limit: 10, ...filters })).map(
          ({ order }) => order.id,
        );
      assert.deepEqual(await ids({ status: "open" }), newest.slice(0, 2));
      assert.deepEqual(await ids({ status: "lost" }), newest.slice(2));
      assert.deepEqual(await ids({ status: "won" }), []);
      assert.deepEqual(await ids({ order_id: newest[1], status: "open" }), [newest[1]]);
      assert.deepEqual(await ids({ order_id: newest[1], status: "lost" }), []);
      assert.deepEqual(
        await seenElsewhere((other) => storage.lists.listDisputes({ ...other, limit: 10 })),
        nothing,
      );
    },
  },
  {
    name: "subscriptions that have not ended are added up by what they are alike in",
    async run(context) {
      const { storage, assert } = context;
      const { subscription, renewal, cancel } = await subscribed(context);
      const { currency, interval, interval_count, amount } = subscription;
      const sums = () => storage.stats.sumSubscriptions(partition);
      const one = { currency, interval, interval_count, count: 1, amount };
      const active = { ...one, status: "active", ending: false, paused: false };

      assert.deepEqual(await sums(), [active]);
      assert.deepEqual(
        await seenElsewhere((other) => storage.stats.sumSubscriptions(other)),
        nothing,
      );
      await renew(storage.orders, renewal({ paid: false, reference: "r_failed" }));
      assert.deepEqual(await sums(), [{ ...active, status: "past_due" }]);
      await renew(storage.orders, renewal({ reference: "r_paid" }));
      await cancel("at_period_end");
      assert.deepEqual(await sums(), [{ ...active, ending: true }]);
      await cancel("now");
      assert.deepEqual(await sums(), []);
    },
  },
  {
    name: "due subscriptions are those that renew before a time",
    async run(context) {
      const { storage, assert } = context;
      const { subscription, renewal, cancel } = await subscribed(context);

      const end = subscription.current_period_end;
      const due = async (before: number) =>
        (await storage.lists.listDue({ ...partition, before, limit: 10 })).map(({ id }) => id);
      assert.deepEqual([await due(end), await due(end + 1)], [[], [subscription.id]]);

      const seen = { current_period_end: end, id: subscription.id };
      const next = { ...partition, before: end + 1, after: seen, limit: 10 };
      assert.deepEqual(await storage.lists.listDue(next), []);
      assert.deepEqual(
        await seenElsewhere((other) =>
          storage.lists.listDue({ ...other, before: end + 1, limit: 10 }),
        ),
        nothing,
      );

      // A period whose payment failed is still due; one that was paid is not.
      await renew(storage.orders, renewal({ paid: false, reference: "r_failed" }));
      assert.deepEqual(await due(end + 1), [subscription.id]);
      await renew(storage.orders, renewal({ reference: "r_paid" }));
      assert.deepEqual(await due(end + 1), []);

      await cancel("at_period_end");
      assert.deepEqual(await due(Number.MAX_SAFE_INTEGER), []);
    },
  },
];
