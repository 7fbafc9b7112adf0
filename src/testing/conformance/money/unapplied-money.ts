import type { PaymentRecord } from "../../../rules/payments/payment-records.ts";
import { applyPayment, completeSession } from "../../../steps/checkout-steps.ts";
import { applyRefundMessage, settleReturn, startReturn } from "../../../steps/order-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { type PaidTwice, returnFixtures } from "../fixtures/return-fixtures.ts";

/** Checks money of another amount or currency than its order's. */
export const unappliedMoneyCases: readonly StorageCase[] = [
  {
    name: "refunds of a wrong amount on an unpaid order count for that money, never for the order",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { message, stateOf } = returnFixtures(context);

      const underpaid = await paidTooLittle(context);
      const tell = async (reference: string, status: "succeeded" | "failed", amount: number) =>
        applyRefundMessage(storage.orders, await message(underpaid, { reference, status, amount }));
      assert.deepEqual(await stateOf(underpaid.money), ["unapplied", "in_flight", 0]);

      assert.equal((await tell("re_1", "succeeded", 300)).outcome, "applied");
      assert.equal((await tell("re_1", "succeeded", 300)).outcome, "unchanged");
      assert.deepEqual(await stateOf(underpaid.money), ["unapplied", "in_flight", 300]);
      await tell("re_2", "succeeded", 600);
      assert.deepEqual(await stateOf(underpaid.money), ["returned", "in_flight", 900]);
      await tell("re_2", "failed", 600);
      assert.deepEqual(await stateOf(underpaid.money), ["return_failed", "in_flight", 300]);

      const order = await storage.orders.find("order", partition, underpaid.order.id);
      assert.deepEqual([order?.status, order?.amount_refunded], ["pending", 0]);
    },
  },
  {
    name: "a wrong amount that is put right pays the order, and its older refunds stay its own",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { message } = returnFixtures(context);
      const { result } = paymentFixtures(context);

      const underpaid = await paidTooLittle(context);
      const older = { reference: "re_1", status: "succeeded", amount: 100 } as const;
      await applyRefundMessage(storage.orders, await message(underpaid, older));
      const attempt = await attemptOf(context, underpaid.money);
      const whole = result(attempt, "succeeded", { payment_reference: "pi_1" });
      const paid = await times(10, () => applyPayment(storage.orders, whole));
      assert.equal(paid.filter(({ outcome }) => outcome === "paid").length, 1);

      await applyRefundMessage(storage.orders, await message(underpaid, older));
      const order = await storage.orders.find("order", partition, underpaid.order.id);
      assert.deepEqual([order?.status, order?.amount_refunded], ["paid", 0]);
      const [money, ...others] = await storage.orders.listPayments(partition, underpaid.order.id);
      assert.deepEqual(
        [money?.id, money?.state, money?.amount, others],
        [attempt.id, "booked", 1000, []],
      );
    },
  },
  {
    name: "a wrong amount that the owner sends back pays nothing any more, and is asked about",
    async run(context) {
      const { storage, clock, assert } = context;
      const { starting, settling, stateOf } = returnFixtures(context);
      const { result } = paymentFixtures(context);

      const { order, money } = await paidTooLittle(context);
      const started = await times(10, () => startReturn(storage.orders, starting(money)));
      assert.equal(started.filter(({ outcome }) => outcome === "started").length, 1);
      await settleReturn(storage.orders, settling(money, 0, { reference: "re_1" }));
      assert.deepEqual(await stateOf(money), ["returned", "in_flight", 900]);

      const attempt = await attemptOf(context, money);
      const tell = () =>
        applyPayment(storage.orders, result(attempt, "succeeded", { payment_reference: "pi_1" }));
      assert.equal((await tell()).outcome, "pending");
      clock.advance(attempt.expires_at - clock.now());
      const late = await tell();
      assert.deepEqual([late.outcome, "order" in late && late.order.id], ["failed", order.id]);
      assert.deepEqual(await stateOf(money), ["returned", "unknown", 900]);
    },
  },
  {
    name: "a host that completes the order names money of a wrong amount, which then pays it",
    async run(context) {
      const { storage, assert } = context;
      const { partition, completion } = fixtures(context);

      const { order, money } = await paidTooLittle(context);
      const found = await storage.checkout.findSession(partition, order.session_id ?? "");
      if (!found) throw new Error("The session is missing.");
      const reference = money.payment_reference;
      const complete = () =>
        completeSession(storage.orders, completion(found.session, { reference }));
      assert.equal((await complete()).outcome, "paid");
      assert.equal((await complete()).outcome, "unchanged");

      const listed = await storage.orders.listPayments(partition, order.id);
      assert.deepEqual(
        listed.map(({ id, state }) => [id, state]),
        [[money.id, "booked"]],
      );
    },
  },
  {
    name: "a wrong amount, told again after other money paid the order, is a duplicate",
    async run(context) {
      const { storage, assert } = context;
      const { partition } = fixtures(context);
      const { result, alerts } = paymentFixtures(context);

      const { order, money } = await paidTooLittle(context);
      const attempt = await attemptOf(context, money);
      const tell = (payment_reference: string, amount: number) =>
        applyPayment(storage.orders, result(attempt, "succeeded", { payment_reference, amount }));
      assert.equal((await tell("pi_2", 1000)).outcome, "paid");
      assert.equal((await tell(money.payment_reference, 900)).outcome, "duplicate");
      assert.equal((await tell(money.payment_reference, 900)).outcome, "unchanged");

      const listed = await storage.orders.listPayments(partition, order.id);
      assert.deepEqual(
        listed.map(({ payment_reference, state }) => [payment_reference, state]).sort(),
        [
          ["pi_1", "duplicate"],
          ["pi_2", "booked"],
        ],
      );
      assert.equal((await attemptOf(context, money)).state, "succeeded");
      assert.deepEqual(await alerts(), ["duplicate_payment", "payment_mismatch"]);
    },
  },
];

/** Makes an order of 10.00, of which the buyer pays 9.00. */
async function paidTooLittle(context: CaseContext): Promise<PaidTwice> {
  const { storage } = context;
  const { shop, openSession, partition } = fixtures(context);
  const { start, result } = paymentFixtures(context);

  await shop();
  const attempt = await start(await openSession());
  const short = { payment_reference: "pi_1", amount: 900 };
  const applied = await applyPayment(storage.orders, result(attempt, "succeeded", short));
  const money = await storage.orders.find("payment", partition, attempt.id);
  if (applied.outcome !== "mismatch" || !money) throw new Error("The money is not kept.");
  return { order: applied.order, money };
}

async function attemptOf({ storage }: CaseContext, money: PaymentRecord) {
  const attempt = await storage.orders.find("attempt", money, money.attempt_id);
  if (!attempt) throw new Error("The attempt is missing.");
  return attempt;
}
