import {
  applyPayment,
  closeSession,
  completeSession,
  submitSession,
} from "../../../steps/checkout-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { unknownBuyer } from "../fixtures/command-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks that a buyer submits a session: the order is made and its payment starts. */
export const submissionCases: readonly StorageCase[] = [
  {
    name: "a submission that is repeated with its ids returns the first answer",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission, events } = fixtures(context);

      await shop();
      const command = submission(await openSession());
      const [first, second] = [
        await submitSession(storage.orders, command),
        await submitSession(storage.orders, command),
      ];
      assert.equal(first.outcome, "submitted");
      assert.deepEqual(second, first);
      assert.equal((await events()).length, 1);
    },
  },
  {
    name: "concurrent submissions of one session start one payment",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission, events } = fixtures(context);

      await shop();
      const session = await openSession();
      const results = await times(20, () => submitSession(storage.orders, submission(session)));
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "attempted").length, 19);

      const attempts = results.map((result) => ("attempt" in result ? result.attempt?.id : null));
      assert.equal(new Set(attempts).size, 1);
      assert.equal((await events()).length, 1);
    },
  },
  {
    name: "a session takes ten failed attempts, also of fifty buyers at once who never stop",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, openSession, submission, partition, events } = fixtures(context);
      const { result } = paymentFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      let canceled = 0;
      /** Submits until the rule ends it. Every third payment is canceled, which is no failure. */
      const tryCards = async (): Promise<readonly string[]> => {
        const seen: string[] = [];
        for (;;) {
          clock.advance(1);
          const submitted = await submitSession(storage.orders, submission(session));
          seen.push(submitted.outcome);
          if (submitted.outcome === "too_many_attempts") return seen;
          if (submitted.outcome !== "submitted" || !submitted.attempt) continue;

          const count = seen.filter((outcome) => outcome === "submitted").length;
          const failure_code = count % 3 === 0 ? "canceled" : "declined";
          if (failure_code === "canceled") canceled += 1;
          await applyPayment(storage.orders, result(submitted.attempt, "failed", { failure_code }));
        }
      };
      const tried = (await times(50, tryCards)).flat();
      const submitted = tried.filter((outcome) => outcome === "submitted").length;
      assert.equal(submitted - canceled, 10);
      assert.equal(tried.filter((outcome) => outcome === "too_many_attempts").length, 50);

      const failures = (await events()).filter(({ type }) => type === "order.failed");
      assert.equal(failures.length, submitted);
      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, 1);
    },
  },
  {
    name: "another method takes the place of the canceled attempt in one step",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, partition, events } = fixtures(context);
      const { start } = paymentFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      const first = await start(session);
      const byMethod = (method_id: string) => {
        const command = submission(session);
        return { ...command, attempt: { ...command.attempt, method_id } };
      };
      const asked = await submitSession(storage.orders, byMethod("pm_card"));
      assert.equal(asked.outcome, "to_cancel");
      assert.equal("attempt" in asked && asked.attempt?.id, first.id);

      const replaces = {
        attempt_id: first.id,
        reference: "ref",
        failure_code: "canceled",
      } as const;
      const [winner, loser] = [
        await submitSession(storage.orders, { ...byMethod("pm_card"), replaces }),
        await submitSession(storage.orders, { ...byMethod("pm_boleto"), replaces }),
      ];
      assert.deepEqual([winner.outcome, loser.outcome], ["submitted", "attempted"]);
      const ids = [winner, loser].map((result) => "attempt" in result && result.attempt?.id);
      assert.equal(ids[0], ids[1]);
      assert.equal(ids[0] === first.id, false);

      const found = await storage.orders.findCheckout(partition, session.id);
      assert.deepEqual([found?.order?.status, found?.attempt?.id], ["pending", ids[0]]);
      assert.equal(
        (await storage.checkout.loadCart(partition, ["prod_1"], null)).products[0]?.on_hand,
        0,
      );
      assert.equal((await events()).length, 1);
    },
  },
  {
    name: "the attempt in flight is the checkout's, whatever the clocks of the machines say",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, completion, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const session = await openSession();
      await applyPayment(storage.orders, result(await start(session), "failed"));
      clock.advance(-2_000);
      const second = await start(session);
      const failed = completion(session, { status: "failed", reference: "own" });
      await completeSession(storage.orders, failed);
      const during = await storage.orders.findCheckout(partition, session.id);
      assert.equal(during?.attempt?.id, second.id);

      await applyPayment(storage.orders, result(second, "failed"));
      const after = await storage.orders.findCheckout(partition, session.id);
      assert.equal(after?.attempt?.id, failed.attempt_id);
    },
  },
  {
    name: "the buyer of the session's token owns the order at every attempt",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const session = await openSession({ customer_id: "ana" });
      const named = { buyer: { ...unknownBuyer, id: "mallory" } };
      await applyPayment(storage.orders, result(await start(session, named), "failed"));
      await start(session, named);
      const found = await storage.orders.findCheckout(partition, session.id);
      assert.equal(found?.order?.customer.id, "ana");
    },
  },
  {
    name: "a buyer cannot cancel during a payment, nor submit an expired session",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, openSession, submission, partition } = fixtures(context);
      const { start } = paymentFixtures(context);

      await shop();
      const session = await openSession();
      const cancel = async (session_id: string) =>
        (
          await closeSession(storage.orders, {
            ...partition,
            session_id,
            reason: "canceled",
            close_session: false,
            ids: { events: [newId("evt")], alerts: [] },
            now: clock.now(),
          })
        ).outcome;
      assert.equal(await cancel("cs_unknown"), "unknown_session");
      assert.equal(await cancel(session.id), "no_order");

      await start(session);
      assert.equal(await cancel(session.id), "in_flight");

      const other = await openSession();
      clock.advance(other.expires_at - clock.now());
      assert.equal(
        (await submitSession(storage.orders, submission(other))).outcome,
        "session_expired",
      );
      assert.equal((await submitSession(storage.orders, submission(session))).outcome, "attempted");
    },
  },
];
