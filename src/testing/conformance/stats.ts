import { applyPayment, completeSession } from "../../steps/checkout-steps.ts";
import { applyRefundMessage, reserveRefund } from "../../steps/order-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { refundFixtures } from "./fixtures/refund-fixtures.ts";
import { forever, scan, statsFixtures } from "./fixtures/stats-fixtures.ts";
import { engine, hour, minute, refuse } from "./fixtures/webhook-fixtures.ts";

/** Checks the numbers of a store by the hour. */
export const statsCases: readonly StorageCase[] = [
  {
    name: "after fifty writers at once the numbers equal a count of the records",
    async run(context) {
      const { storage, assert } = context;
      const { openSession, completion, partition, paid, dispute, sums } = statsFixtures(context);
      const { refund } = refundFixtures(context);
      const { endpoint, drain, receiver } = await engine(context);
      await endpoint("we_1");
      await endpoint("we_2", { event_types: null });

      const fresh = await times(15, () => openSession());
      const failing = await times(10, () => openSession());
      const refundable = await times(15, paid);
      const closings = await Promise.all((await times(10, paid)).map(dispute));
      await Promise.all([
        ...fresh.map((opened) => completeSession(storage.orders, completion(opened))),
        ...failing.map((opened) =>
          completeSession(storage.orders, completion(opened, { status: "failed" })),
        ),
        ...refundable.map((order, index) =>
          reserveRefund(storage.orders, {
            ...refund(order, { reference: "r1", amount: 10 + index }),
            moved_by_host: true,
          }),
        ),
        ...closings.map((close, index) => close(index < 7 ? "lost" : "won")),
      ]);
      let posts = 0;
      receiver.answer = () => (++posts % 3 === 0 ? refuse : {});
      await times(3, () => drain());

      const scanned = await scan(context, partition);
      assert.deepEqual([scanned.paid[0], scanned.refunded[0]], [40, 15]);
      assert.deepEqual([scanned.session_created[0], scanned.session_completed[0]], [50, 40]);
      assert.ok(scanned.delivery_succeeded[0] > 100 && scanned.delivery_failed[0] > 30);
      assert.deepEqual(await sums(), {
        ...scanned,
        paid_by_agent: [0, 0],
        subscription_started: [0, 0],
        subscription_ended: [0, 0],
        period_recovered: [0, 0],
        dispute_lost: [7, 2100],
        payment_failed: [10, 0],
      });
    },
  },
  {
    name: "a repeated step counts nothing, and each hour, mode and store has its own numbers",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition, openSession, completion, numbers, sums } = statsFixtures(context);
      await shop();

      const first = completion(await openSession());
      await times(5, () => completeSession(storage.orders, first));
      const start = clock.now();
      clock.advance(hour);
      await completeSession(storage.orders, completion(await openSession()));

      const rows = (await numbers())
        .filter(({ kind }) => kind === "paid")
        .sort((a, b) => a.hour - b.hour);
      const row = { kind: "paid", currency: "BRL", count: 1, amount: 1000 };
      assert.deepEqual(rows, [
        { ...row, hour: start },
        { ...row, hour: start + hour },
      ]);
      assert.deepEqual((await sums({ to: start + hour })).paid, [1, 1000]);
      assert.deepEqual((await sums({ from: start + hour })).paid, [1, 1000]);
      for (const other of [{ livemode: !partition.livemode }, { store_id: "str_B" }]) {
        const { rows: others } = await storage.stats.listHours({
          ...partition,
          ...forever,
          ...other,
        });
        assert.deepEqual(others, []);
      }
    },
  },
  {
    name: "the rows of intervals have the sums of their hours, also where the last one is cut off",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, completion, numbers } = statsFixtures(context);
      await shop();

      const start = clock.now();
      for (let index = 0; index < 6; index += 1) {
        await completeSession(storage.orders, completion(await openSession()));
        clock.advance(hour);
      }
      const range = { from: start + hour, to: start + 5 * hour };
      const starts = [start + hour, start + 2 * hour, start + 4 * hour];
      const paid = (await numbers({ ...range, starts })).filter(({ kind }) => kind === "paid");
      const sums = starts.map((at, index) => {
        const until = starts[index + 1] ?? range.to;
        const own = paid.filter((row) => row.hour >= at && row.hour < until);
        return own.reduce((added, row) => added + row.count + row.amount / 1000, 0);
      });
      assert.deepEqual(sums, [2, 4, 2]);

      const created = (await numbers({ ...range, starts })).filter(
        ({ kind }) => kind === "session_created",
      );
      assert.equal(
        created.reduce((added, { count }) => added + count, 0),
        4,
      );
    },
  },
  {
    name: "a refund that fails later is taken off at the hour of its failure",
    async run(context) {
      const { storage, clock, assert } = context;
      const { sums } = statsFixtures(context);
      const { paidOrder } = paymentFixtures(context);
      const { refundMessage } = refundFixtures(context);
      const order = await paidOrder();
      const start = clock.now();

      const told = { reference: "re_1", amount: 400 };
      await applyRefundMessage(
        storage.orders,
        await refundMessage(order, { ...told, notification_id: "n1" }),
      );
      clock.advance(2 * hour);
      const failure = { ...told, notification_id: "n2", status: "failed" } as const;
      await applyRefundMessage(storage.orders, await refundMessage(order, failure));

      assert.deepEqual((await sums({ to: start + hour })).refunded, [1, 400]);
      assert.deepEqual((await sums({ from: start + hour })).refunded, [-1, -400]);
    },
  },
  {
    name: "a payment that failed and is paid later is a failed payment no more",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, sums } = statsFixtures(context);
      const { start, result } = paymentFixtures(context);
      await shop();

      const attempt = await start(await openSession());
      await applyPayment(storage.orders, result(attempt, "failed"));
      assert.deepEqual((await sums()).payment_failed, [1, 0]);
      await applyPayment(storage.orders, result(attempt, "succeeded"));
      const { paid, payment_failed } = await sums();
      assert.deepEqual([paid[0], payment_failed[0]], [1, 0]);
    },
  },
  {
    name: "a session counts once, for the hour of its creation, also rolled up and deleted",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, completion, sums } = statsFixtures(context);
      const { start, result } = paymentFixtures(context);
      await shop();

      const first = clock.now();
      const late = await start(await openSession());
      await times(3, () => openSession());
      clock.advance(hour);
      await openSession();
      await completeSession(storage.orders, completion(await openSession()));
      const counted = async () => {
        const ofFirst = await sums({ to: first + hour });
        const ofNext = await sums({ from: first + hour, to: first + 2 * hour });
        return [ofFirst, ofNext].map(({ session_created, session_completed }) => [
          session_created[0],
          session_completed[0],
        ]);
      };
      assert.deepEqual(await counted(), [
        [4, 0],
        [2, 1],
      ]);

      // The hour is counted ten minutes after its end: a session may be written a little late.
      clock.advance(hour + 9 * minute);
      const rollUp = () => storage.stats.count("sessions", { now: clock.now(), limit: 1 });
      const rollUpAll = async () => {
        while ((await rollUp()) > 0);
      };
      await rollUpAll();
      clock.advance(minute);
      await times(4, rollUpAll);
      assert.equal(await rollUp(), 0);
      // Money may come long after the session was rolled up.
      await applyPayment(storage.orders, result(late, "succeeded"));
      const expected = [
        [4, 1],
        [2, 1],
      ];
      assert.deepEqual(await counted(), expected);

      clock.advance(32 * 24 * hour);
      await openSession();
      await times(2, rollUpAll);
      assert.ok((await storage.purge(clock.now(), 100)) > 0);
      assert.deepEqual(await counted(), expected);
    },
  },
  {
    name: "an attempt to deliver counts for the hour in which it began",
    async run(context) {
      const { clock, assert } = context;
      const { sums } = statsFixtures(context);
      const { endpoint, sell, drain, receiver } = await engine(context);
      await endpoint("we_1");

      const start = clock.now();
      await sell(2);
      receiver.answer = () => refuse;
      await drain();
      clock.advance(hour);
      receiver.answer = () => ({});
      await drain();

      const { delivery_failed, delivery_succeeded } = await sums({ to: start + hour });
      assert.deepEqual(
        [delivery_failed, delivery_succeeded],
        [
          [2, 0],
          [0, 0],
        ],
      );
      const next = await sums({ from: start + hour });
      assert.deepEqual(
        [next.delivery_failed, next.delivery_succeeded],
        [
          [0, 0],
          [2, 0],
        ],
      );
    },
  },
  {
    name: "the end of the test data is the end of its numbers",
    async run(context) {
      const { storage, assert } = context;
      const { shop, partition, paid, numbers } = statsFixtures(context);
      await shop();
      await paid();
      assert.equal((await numbers()).length, 3);

      await wipeInChunks(storage, partition.store_id);
      assert.deepEqual(await numbers(), []);
    },
  },
];
