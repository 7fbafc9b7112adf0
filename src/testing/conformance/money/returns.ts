import { applyRefundMessage, settleReturn, startReturn } from "../../../steps/order-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { returnFixtures } from "../fixtures/return-fixtures.ts";

const minute = 60_000;

/** Checks duplicate payments on their way back to the buyer. */
export const returnCases: readonly StorageCase[] = [
  {
    name: "each refund of a duplicate counts once, and a failed one leaves what another returned",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { paidTwice, message, stateOf } = returnFixtures(context);

      const paid = await paidTwice();
      const tell = async (reference: string, status: "succeeded" | "failed") =>
        applyRefundMessage(
          storage.orders,
          await message(paid, { reference, status, amount: 1000 }),
        );
      await tell("re_2", "succeeded");
      await tell("re_1", "succeeded");
      await tell("re_1", "failed");
      assert.deepEqual(await stateOf(paid.money), ["returned", "returned", 1000]);

      await tell("re_1", "succeeded");
      assert.equal((await tell("re_2", "succeeded")).outcome, "unchanged");
      await tell("re_2", "failed");
      assert.deepEqual(await stateOf(paid.money), ["return_failed", "duplicate", 0]);

      const order = await storage.orders.find("order", partition, paid.order.id);
      assert.deepEqual([order?.status, order?.amount_refunded], ["paid", 0]);
    },
  },
  {
    name: "a duplicate that is refunded in part is returned when the parts make up its amount",
    async run(context) {
      const { storage, assert } = context;
      const { paidTwice, starting, settling, message, stateOf } = returnFixtures(context);
      const { alerts } = paymentFixtures(context);

      const paid = await paidTwice();
      const part = { reference: "re_1", status: "succeeded", amount: 400 } as const;
      await applyRefundMessage(storage.orders, await message(paid, part));
      assert.deepEqual(await stateOf(paid.money), ["duplicate", "duplicate", 400]);

      const started = await startReturn(storage.orders, starting(paid.money));
      assert.equal(started.outcome === "started" && started.payment.return.amount, 600);
      await settleReturn(storage.orders, settling(paid.money, 0, { reference: "re_2" }));
      assert.deepEqual(await stateOf(paid.money), ["returned", "returned", 1000]);

      const failed = { reference: "re_1", status: "failed", amount: 400 } as const;
      await applyRefundMessage(storage.orders, await message(paid, failed));
      assert.deepEqual(await stateOf(paid.money), ["return_failed", "duplicate", 600]);
      assert.deepEqual(await alerts(), ["duplicate_payment", "return_failed"]);
    },
  },
  {
    name: "twenty concurrent returns start one try, and its result counts once",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { paidTwice, starting, settling, stateOf } = returnFixtures(context);

      const { order, money } = await paidTwice();
      const started = await times(20, () => startReturn(storage.orders, starting(money)));
      assert.equal(started.filter(({ outcome }) => outcome === "started").length, 1);
      assert.equal(started.filter(({ outcome }) => outcome === "unchanged").length, 19);

      const settled = await times(10, () =>
        settleReturn(storage.orders, settling(money, 0, { reference: "re_1" })),
      );
      assert.equal(settled.filter(({ outcome }) => outcome === "returned").length, 1);
      assert.deepEqual(await stateOf(money), ["returned", "returned", 1000]);
      assert.equal((await startReturn(storage.orders, starting(money))).outcome, "unchanged");

      const listed = await storage.orders.listPayments(partition, order.id);
      assert.deepEqual(listed.map(({ state }) => state).sort(), ["booked", "returned"]);
      const after = await storage.orders.find("order", partition, order.id);
      assert.deepEqual([after?.status, after?.amount_refunded], ["paid", 0]);
    },
  },
  {
    name: "the money that pays its order never goes back as a return",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { paidTwice, starting, settling } = returnFixtures(context);

      const { order, money } = await paidTwice();
      const payments = await storage.orders.listPayments(partition, order.id);
      const booked = payments.find(({ state }) => state === "booked") ?? money;
      const start = (changes: Parameters<typeof starting>[1] = {}) =>
        startReturn(storage.orders, starting(booked, changes));
      assert.equal((await start()).outcome, "invalid_transition");
      assert.equal((await start({ payment_id: "pay_none" })).outcome, "unknown_payment");
      assert.equal((await start({ order_id: "ord_none" })).outcome, "unknown_payment");
      assert.equal((await start({ livemode: true })).outcome, "unknown_payment");

      const result = await settleReturn(storage.orders, settling(booked, 0, {}));
      assert.equal(result.outcome, "unchanged");
      assert.equal(
        await storage.orders.find("payment", { ...partition, livemode: true }, money.id),
        null,
      );
      assert.deepEqual(await storage.orders.listPayments(partition, "ord_none"), []);
    },
  },
  {
    name: "six tries without an answer give up with one alert, and a late answer still counts",
    async run(context) {
      const { storage, clock, assert } = context;
      const { paidTwice, starting, settling, stateOf } = returnFixtures(context);
      const { alerts } = paymentFixtures(context);

      const { money } = await paidTwice(true);
      const claim = () =>
        storage.orders.claimWork("payments", {
          now: clock.now(),
          until: clock.now() + 1,
          limit: 10,
        });
      assert.deepEqual(await claim(), []);
      clock.advance(10 * minute);

      for (const wait of [10, 30, 120, 360, 720, 0]) {
        const due = (await times(4, claim)).flat();
        assert.deepEqual(
          due.map(({ id }) => id),
          [money.id],
        );
        const asked_by = "maintenance" as const;
        const started = await startReturn(storage.orders, starting(money, { asked_by }));
        assert.equal(started.outcome, "started");
        await settleReturn(storage.orders, settling(money, 0, "no_answer"));
        clock.advance(wait * minute);
      }
      assert.deepEqual(await claim(), []);
      assert.deepEqual(await stateOf(money), ["return_failed", "duplicate", 0]);
      assert.deepEqual(await alerts(), ["duplicate_payment", "return_failed"]);

      await settleReturn(storage.orders, settling(money, 0, { reference: "re_1" }));
      assert.deepEqual(await stateOf(money), ["returned", "returned", 1000]);
    },
  },
  {
    name: "a refusal uses the key of a return up, and an answer without one is asked about",
    async run(context) {
      const { storage, clock, assert } = context;
      const { paidTwice, starting, settling } = returnFixtures(context);

      const { money } = await paidTwice();
      const next = async (changes: Parameters<typeof starting>[1] = {}) => {
        const asked = starting(money, { asked_by: "maintenance", ...changes });
        const started = await startReturn(storage.orders, asked);
        const { outcome, payment } = "payment" in started ? started : { ...started, payment: null };
        return [
          started.outcome === "started" ? started.next : outcome,
          payment?.return?.key_attempt,
        ];
      };
      assert.deepEqual(await next(), ["send", 0]);
      await settleReturn(storage.orders, settling(money, 0, { status: "failed" }));
      assert.deepEqual(await next(), ["send", 1]);
      const refused = settling(money, 0, { status: "failed", reference: "re_0" });
      assert.equal((await settleReturn(storage.orders, refused)).outcome, "unchanged");
      await settleReturn(storage.orders, settling(money, 1, "no_answer"));
      assert.deepEqual(await next(), ["ask", 1]);
      assert.deepEqual(await next({ can_ask: false }), ["send", 1]);

      await settleReturn(
        storage.orders,
        settling(money, 1, { status: "pending", reference: "re_1" }),
      );
      assert.deepEqual(await next({ can_ask: false }), ["wait", 1]);
      // The provider has forgotten the key: the creation is not repeated.
      clock.advance(23 * 60 * minute);
      assert.deepEqual(await next({ can_ask: false }), ["unchanged", 1]);
      assert.deepEqual(await next({ asked_by: "owner" }), ["ask", 1]);
    },
  },
  {
    name: "a return that fails after it was done is sent again under the next key",
    async run(context) {
      const { storage, assert } = context;
      const { paidTwice, starting, settling, message, stateOf } = returnFixtures(context);

      const paid = await paidTwice();
      await startReturn(storage.orders, starting(paid.money));
      const pending = settling(paid.money, 0, { status: "pending", reference: "re_1" });
      assert.equal((await settleReturn(storage.orders, pending)).outcome, "returning");
      const tell = async (status: "succeeded" | "failed") =>
        applyRefundMessage(
          storage.orders,
          await message(paid, { reference: "re_1", status, amount: 1000 }),
        );
      await tell("succeeded");
      assert.deepEqual(await stateOf(paid.money), ["returned", "returned", 1000]);
      await tell("failed");
      assert.deepEqual(await stateOf(paid.money), ["return_failed", "duplicate", 0]);

      const again = await startReturn(storage.orders, starting(paid.money));
      assert.deepEqual(
        again.outcome === "started" && [again.next, again.payment.return.key_attempt],
        ["send", 1],
      );
    },
  },
  {
    name: "a refund of a duplicate in another currency is not booked: the owner is told",
    async run(context) {
      const { storage, assert } = context;
      const { paidTwice, message, stateOf } = returnFixtures(context);
      const { alerts } = paymentFixtures(context);

      const paid = await paidTwice();
      const foreign = { reference: "re_1", status: "succeeded", amount: 1000 } as const;
      const told = await message(paid, foreign, { currency: "USD" });
      assert.equal((await applyRefundMessage(storage.orders, told)).outcome, "mismatch");
      assert.deepEqual(await stateOf(paid.money), ["duplicate", "duplicate", 0]);
      assert.deepEqual(await alerts(), ["duplicate_payment", "refund_mismatch"]);
    },
  },
];
