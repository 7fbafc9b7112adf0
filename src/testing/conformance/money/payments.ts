import { applyPayment, completeSession, submitSession } from "../../../steps/checkout-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import type { AttemptNames } from "../../../storage/order-store.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks the results of payments, each applied once. */
export const paymentCases: readonly StorageCase[] = [
  {
    name: "a result that is reported twenty times concurrently is applied once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, events } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const attempt = await start(await openSession());
      const applied = await times(20, () =>
        applyPayment(storage.orders, result(attempt, "succeeded")),
      );
      assert.equal(applied.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.equal(applied.filter(({ outcome }) => outcome === "unchanged").length, 19);
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        ["order.created", "order.paid", "checkout.session.completed"],
      );

      const late = await applyPayment(storage.orders, result(attempt, "failed"));
      assert.equal(late.outcome, "unchanged");
      assert.equal("order" in late && late.order.status, "paid");
    },
  },
  {
    name: "a declined payment releases stock and coupon, and the next attempt takes them again",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, coupon, openSession, submission, partition, events } =
        fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses: 1 }));
      const left = async () => {
        const cart = await storage.checkout.loadCart(partition, ["prod_1"], "CODE");
        return [cart.products[0]?.on_hand, cart.coupon?.used];
      };
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const session = await openSession(discounted);
      const other = await openSession(discounted);
      const first = await start(session);
      assert.deepEqual(await left(), [0, 1]);
      assert.equal((await applyPayment(storage.orders, result(first, "failed"))).outcome, "failed");
      assert.deepEqual(await left(), [1, 0]);

      const taken = await start(other);
      assert.equal(
        (await submitSession(storage.orders, submission(session))).outcome,
        "insufficient_stock",
      );
      assert.equal(
        (await storage.orders.findCheckout(partition, session.id))?.order?.status,
        "failed",
      );

      await applyPayment(storage.orders, result(taken, "failed"));

      clock.advance(1);
      const second = await start(session);
      assert.equal(second.order_id, first.order_id);
      assert.deepEqual(await left(), [0, 1]);
      assert.equal(
        (await applyPayment(storage.orders, result(second, "succeeded"))).outcome,
        "paid",
      );
      assert.deepEqual(await left(), [0, 1]);

      const found = await storage.orders.findCheckout(partition, session.id);
      assert.deepEqual(
        [
          found?.session.status,
          found?.session.payment_status,
          found?.order?.status,
          found?.attempt?.id,
        ],
        ["complete", "paid", "paid", second.id],
      );
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        [
          "order.created",
          "order.failed",
          "order.created",
          "order.failed",
          "order.paid",
          "checkout.session.completed",
        ],
      );
    },
  },
  {
    name: "a success after the failure pays the order and alerts the owner of missing stock",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, coupon, openSession, partition } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses: 1 }));
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const late = await start(await openSession(discounted));
      await applyPayment(storage.orders, result(late, "failed"));
      const winner = await start(await openSession(discounted));
      await applyPayment(storage.orders, result(winner, "succeeded"));
      const paid = await applyPayment(storage.orders, result(late, "succeeded"));
      assert.equal(paid.outcome, "paid");
      assert.deepEqual(
        "order" in paid && [paid.order.status, paid.order.failure_code, paid.order.holds],
        ["paid", null, "consumed"],
      );

      const cart = await storage.checkout.loadCart(partition, ["prod_1"], "CODE");
      assert.deepEqual([cart.products[0]?.on_hand, cart.coupon?.used], [-1, 2]);
      assert.deepEqual(await alerts(), ["coupon_overused", "oversold"]);
    },
  },
  {
    name: "a second success leaves the paid order alone and raises one alert",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);

      await shop();
      const session = await openSession();
      const attempt = await start(session);
      assert.equal((await completeSession(storage.orders, completion(session))).outcome, "paid");
      assert.equal(
        (await applyPayment(storage.orders, result(attempt, "succeeded"))).outcome,
        "duplicate",
      );
      assert.equal(
        (await applyPayment(storage.orders, result(attempt, "succeeded"))).outcome,
        "unchanged",
      );
      assert.equal(
        (await completeSession(storage.orders, completion(session, { reference: "r2" }))).outcome,
        "duplicate",
      );
      assert.deepEqual(await alerts(), ["duplicate_payment", "duplicate_payment"]);
      assert.equal((await events()).length, 3);
    },
  },
  {
    name: "a wrong amount or currency leaves the order pending and raises an alert",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, events } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);

      await shop();
      const attempt = await start(await openSession());
      const applied = await applyPayment(
        storage.orders,
        result(attempt, "succeeded", { amount: 999 }),
      );
      assert.equal(applied.outcome, "mismatch");
      assert.equal("order" in applied && applied.order.status, "pending");
      assert.equal(
        (await applyPayment(storage.orders, result(attempt, "succeeded", { currency: "USD" })))
          .outcome,
        "mismatch",
      );
      assert.deepEqual(await alerts(), ["payment_mismatch"]);
      assert.equal((await events()).length, 1);
      assert.equal(
        (await applyPayment(storage.orders, result(attempt, "succeeded"))).outcome,
        "paid",
      );
    },
  },
  {
    name: "a notification counts once, and its payment is found by reference or id",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission, orderIds, partition, events } = fixtures(context);

      await shop();
      const submitted = await submitSession(storage.orders, submission(await openSession()));
      const attempt = submitted.outcome === "submitted" ? submitted.attempt : null;
      const tell = () =>
        applyPayment(storage.orders, {
          ...partition,
          attempt_id: attempt?.id ?? "",
          session_id: attempt?.session_id ?? null,
          result: {
            status: "succeeded",
            reference: "ref",
            payment_reference: null,
            next_action: null,
            amount: 1000,
            currency: "BRL",
            failure_code: null,
            expires_at: null,
          },
          ids: orderIds(),
          now: clock.now(),
          external_stock: false,
          message: { gateway: "sandbox", notification_id: "n1" },
        });
      const told = await times(10, tell);
      assert.equal(told.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.equal((await events()).length, 3);
      const names: AttemptNames = {
        gateway: "sandbox",
        livemode: false,
        account: null,
        references: ["ref"],
        payment_id: null,
      };
      const found = async (changes: Partial<AttemptNames>) =>
        (await storage.orders.findAttempts({ ...names, ...changes })).map(({ id }) => id);
      const id = attempt?.id ?? "";
      assert.deepEqual(await found({}), [id]);
      assert.deepEqual(await found({ references: ["?"], payment_id: id }), [id]);
      assert.deepEqual(await found({ references: [], payment_id: id }), [id]);
      assert.deepEqual(await found({ livemode: true }), []);
      assert.deepEqual(await found({ account: "acct_1" }), []);
      assert.deepEqual(await found({ gateway: "other" }), []);
    },
  },
  {
    name: "an attempt past its time lets its order fail, and its late success pays it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, openSession, partition, events } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      const attempt = await start(session);
      const early = await applyPayment(storage.orders, result(attempt, "unknown"));
      assert.equal(early.outcome, "pending");

      clock.advance(attempt.expires_at - clock.now());
      const late = await applyPayment(storage.orders, result(attempt, "unknown"));
      assert.equal(late.outcome, "failed");
      assert.equal("attempt" in late && late.attempt.state, "unknown");
      assert.equal("order" in late && late.order.failure_code, "expired");
      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, 1);

      clock.advance(14 * 86_400_000);
      for (const outcome of ["pending", "pending"] as const)
        assert.equal(
          (await applyPayment(storage.orders, result(attempt, "unknown"))).outcome,
          outcome,
        );
      assert.deepEqual(await alerts(), ["payment_in_doubt"]);

      const paid = await applyPayment(storage.orders, result(attempt, "succeeded"));
      assert.equal(paid.outcome, "paid");
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        ["order.created", "order.failed", "order.paid", "checkout.session.completed"],
      );
    },
  },
  {
    name: "a failed payment by the host leaves the order to the payment in progress",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const session = await openSession();
      const attempt = await start(session);
      assert.equal(
        (await completeSession(storage.orders, completion(session, { status: "failed" }))).outcome,
        "unchanged",
      );
      assert.equal(
        (await storage.orders.findCheckout(partition, session.id))?.order?.status,
        "pending",
      );
      assert.equal(
        (await applyPayment(storage.orders, result(attempt, "succeeded"))).outcome,
        "paid",
      );
      assert.equal((await events()).length, 3);
    },
  },
];
