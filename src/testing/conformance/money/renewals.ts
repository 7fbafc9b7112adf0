import type { SavedMethodRecord } from "../../../rules/payments/payment-records.ts";
import type { RenewalCharge } from "../../../rules/subscriptions/renewal-charge.ts";
import { applyPayment, submitSession } from "../../../steps/checkout-steps.ts";
import { changeSubscription, chargeRenewal } from "../../../steps/subscription-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

const saved: SavedMethodRecord = {
  attempt_id: "pay_first",
  gateway: "sandbox",
  account: null,
  method: { id: "pm_1", type: "card" },
  sealed_reference: "sealed",
  kind: "card",
  label: "Visa ···· 4242",
  expires_at: null,
  consent: { text: "yes", at: 0 },
};

const plan = {
  days: [1, 3],
  afterLast: "cancel",
  hours: { from: 0, to: 24 },
  noticeDays: 3,
  timezone: "UTC",
} as const;

/** Makes a paid subscription with a saved method, and the charges of its next period. */
async function subscribed(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { shop, session, openSession, orderIds, partition } = fixtures(context);
  const { start, result } = paymentFixtures(context);

  await shop();
  const recurring = { interval: "month", interval_count: 1 } as const;
  const lines = session().lines.map((line) => ({ ...line, recurring }));
  const attempt = await start(await openSession({ lines }), {});
  const paid = await applyPayment(storage.orders, { ...result(attempt, "succeeded"), saved });
  const id = paid.outcome === "paid" ? (paid.order.subscription_id ?? "") : "";

  const find = async () => {
    const subscription = await storage.orders.find("subscription", partition, id);
    if (!subscription) throw new Error("The payment made no subscription.");
    return subscription;
  };
  const period_start = (await find()).current_period_end;
  const charge = (changes: Partial<RenewalCharge> = {}) =>
    chargeRenewal(storage.orders, {
      ...partition,
      subscription_id: id,
      period_start,
      attempt_id: newId("pay"),
      plan,
      can_charge: true,
      ids: orderIds(),
      now: clock.now(),
      ...changes,
    });
  const claim = async () => {
    const now = clock.now();
    const work = { now, until: now + 600_000, limit: 10 };
    return (await storage.orders.claimWork("renewals", work)).map((row) => row.id);
  };
  return { partition, id, find, charge, claim, period_start, result };
}

/** Checks the charges of saved methods. */
export const renewalCases: readonly StorageCase[] = [
  {
    name: "a subscription is claimed at its charge's time, under a lease, and not while it pauses",
    async run(context) {
      const { storage, clock, assert } = context;
      const { orderIds } = fixtures(context);
      const { partition, id, claim, period_start } = await subscribed(context);

      assert.deepEqual(await claim(), []);
      clock.advance(period_start - clock.now());
      const taken = (await times(5, claim)).flat();
      assert.deepEqual(taken, [id]);
      clock.advance(600_000);
      assert.deepEqual(await claim(), [id]);

      const command = { ...partition, subscription_id: id, ids: orderIds(), now: clock.now() };
      await changeSubscription(storage.orders, { ...command, change: { kind: "pause" } });
      clock.advance(600_000);
      assert.deepEqual(await claim(), []);
    },
  },
  {
    name: "twenty processes at once begin one charge of a period, and its result renews it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { charge, find, period_start, result } = await subscribed(context);

      clock.advance(period_start - clock.now());
      const begun = await times(20, () => charge());
      const charging = begun.flatMap((each) => (each.outcome === "charging" ? [each.attempt] : []));
      assert.equal(charging.length, 1);
      const [attempt] = charging;
      if (!attempt) return;

      const { renews } = attempt;
      const paid = { ...result(attempt, "succeeded"), renews };
      const told = await times(5, () => applyPayment(storage.orders, { ...paid }));
      assert.equal(told.filter(({ outcome }) => outcome === "paid").length, 1);
      const renewed = await find();
      assert.equal(renewed.current_period_start, period_start);
      assert.equal(renewed.renewal?.charge_at, renewed.current_period_end);
    },
  },
  {
    name: "a gateway's message about a charge is noted, and changes nothing the second time",
    async run(context) {
      const { storage, clock, assert } = context;
      const { charge, find, period_start, result } = await subscribed(context);

      clock.advance(period_start - clock.now());
      const begun = await charge();
      if (begun.outcome !== "charging") throw new Error(`Not charging: ${begun.outcome}.`);

      const message = { gateway: "sandbox", notification_id: "n_1" };
      const { renews } = begun.attempt;
      const failed = { ...result(begun.attempt, "failed"), renews, message };
      assert.equal((await applyPayment(storage.orders, failed)).outcome, "failed");
      assert.equal((await find()).status, "past_due");

      const changed = { ...result(begun.attempt, "succeeded"), renews, message };
      assert.equal((await applyPayment(storage.orders, changed)).outcome, "unchanged");
    },
  },
  {
    name: "a trial is had once by a buyer and product, of twenty who submit it at once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, session, openSession, submission, partition } = fixtures(context);
      const { result } = paymentFixtures(context);
      await shop();
      const [line] = session().lines;
      if (!line) throw new Error("The session has no line.");

      const recurring = { interval: "month", interval_count: 1, trial_days: 14 } as const;
      const trial = {
        lines: [{ ...line, recurring, amount_discount: line.amount_subtotal, amount_total: 0 }],
        coupon_id: `trial_${line.product_id}`,
        coupon_code: null,
        amount_discount: line.amount_subtotal,
        amount_subtotal: line.amount_subtotal,
        amount_total: 0,
        email: "ana@example.com",
      };
      const opened = await times(20, () => openSession(trial));
      const submitted = await Promise.all(
        opened.map((each) => submitSession(storage.orders, submission(each))),
      );
      const begun = submitted.flatMap((each) =>
        each.outcome === "submitted" && each.attempt ? [each.attempt] : [],
      );
      assert.equal(begun.length, 1);
      const refused = submitted.filter(({ outcome }) => outcome === "coupon_invalid");
      assert.equal(refused.length, 19);

      const [attempt] = begun;
      if (!attempt) return;
      const kept = { ...result(attempt, "succeeded"), saved };
      const told = await times(5, () => applyPayment(storage.orders, { ...kept }));
      const paid = told.find(({ outcome }) => outcome === "paid");
      assert.equal(told.filter(({ outcome }) => outcome === "paid").length, 1);
      const id = paid?.outcome === "paid" ? (paid.order.subscription_id ?? "") : "";
      const begunTrial = await storage.orders.find("subscription", partition, id);
      assert.equal(begunTrial?.status, "trialing");
      assert.equal(begunTrial?.renewal?.charge_at, begunTrial?.trial_end);
      assert.equal((await storage.stats.sumSubscriptions(partition))[0]?.status, "trialing");
    },
  },
  {
    name: "a method of an erased buyer is claimed at once, so that its gateway forgets it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { find, claim, id } = await subscribed(context);

      assert.deepEqual(await claim(), []);
      const { store_id, customer } = await find();
      const customer_id = customer.id;
      const erasure = { store_id, customer_id, customer_keys: [customer_id], now: clock.now() };
      for (let at: string | null | undefined; at !== null; )
        at = (await storage.privacy.eraseChunk(erasure, at ?? null)).next;
      clock.advance(1);
      assert.deepEqual((await times(5, claim)).flat(), [id]);

      const { forget, renewal } = await find();
      assert.equal(renewal, undefined);
      assert.deepEqual(
        forget?.methods.map(({ sealed_reference, label }) => [sealed_reference, label]),
        [[saved.sealed_reference, ""]],
      );
    },
  },
  {
    name: "a session that pays a period renews its subscription, and takes no pieces",
    async run(context) {
      const { storage, assert } = context;
      const { openSession, submission } = fixtures(context);
      const { id, find, period_start, result } = await subscribed(context);

      const renews = { subscription_id: id, period_start };
      const link = await openSession({ renews });
      const submitted = await submitSession(storage.orders, submission(link));
      if (submitted.outcome !== "submitted" || !submitted.attempt)
        throw new Error(`Not submitted: ${submitted.outcome}.`);

      await applyPayment(storage.orders, result(submitted.attempt, "succeeded"));
      assert.equal((await find()).current_period_start, period_start);
      const late = await openSession({ renews });
      const refused = await submitSession(storage.orders, submission(late));
      assert.equal(refused.outcome, "session_not_open");
    },
  },
];
