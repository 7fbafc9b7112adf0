import { type StorageCase, times } from "./case.ts";
import { unknownBuyer } from "./command-fixtures.ts";
import { fixtures } from "./fixtures.ts";
import { paymentFixtures } from "./payment-fixtures.ts";

/** The buyer submits a session: the order is made and its payment starts. */
export const submissionCases: readonly StorageCase[] = [
  {
    name: "a submission that is repeated with its ids returns the first answer",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission, events } = fixtures(context);

      await shop();
      const command = submission(await openSession());
      const [first, second] = [
        await storage.orders.submitSession(command),
        await storage.orders.submitSession(command),
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
      const results = await times(20, () => storage.orders.submitSession(submission(session)));
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "attempted").length, 19);

      const attempts = results.map((result) => ("attempt" in result ? result.attempt?.id : null));
      assert.equal(new Set(attempts).size, 1);
      assert.equal((await events()).length, 1);
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
      await storage.orders.applyPayment(result(await start(session, named), "failed"));
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
          await storage.orders.closeSession({
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
        (await storage.orders.submitSession(submission(other))).outcome,
        "session_expired",
      );
      assert.equal((await storage.orders.submitSession(submission(session))).outcome, "attempted");
    },
  },
];
