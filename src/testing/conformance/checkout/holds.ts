import type { SessionRecord } from "../../../rules/records.ts";
import {
  applyPayment,
  completeSession,
  holdSession,
  releaseHold,
  submitSession,
} from "../../../steps/checkout-steps.ts";
import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord, putRecord } from "../../../steps/record-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

const hour = 3_600_000;

/** Makes holds, and says what is left of the product and of the coupon. */
function holdFixtures(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { partition } = fixtures(context);

  const hold = (session: SessionRecord, changes: { address?: string; until?: number } = {}) =>
    holdSession(storage.orders, {
      ...partition,
      session_id: session.id,
      until: clock.now() + hour,
      token: newId("req"),
      address: null,
      new_customer_id: newId("cus"),
      now: clock.now(),
      ...changes,
    });
  const release = async (session: SessionRecord, changes: { token?: string } = {}) => {
    const command = { ...partition, session_id: session.id, token: null, ended_by: null };
    return (await releaseHold(storage.orders, { ...command, ...changes })).outcome;
  };
  /** Gives back what is due, as maintenance does. */
  const sweep = async (): Promise<number> => {
    const now = clock.now();
    const due = await storage.orders.claimWork("holds", { now, until: now + hour, limit: 1_000 });
    const released = await Promise.all(
      due.map(({ id }) =>
        releaseHold(storage.orders, { ...partition, session_id: id, token: null, ended_by: now }),
      ),
    );
    return released.filter(({ outcome }) => outcome === "released").length;
  };
  const left = async (): Promise<readonly unknown[]> => {
    const cart = await storage.checkout.loadCart(partition, ["prod_1"], "CODE");
    return [cart.products[0]?.on_hand, cart.coupon?.used];
  };
  return { hold, release, sweep, left };
}

/** Checks the goods that a session holds before its order is made. */
export const holdCases: readonly StorageCase[] = [
  {
    name: "of two hundred buyers fifty hold the fifty pieces, and nothing leaks afterwards",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, openSession, completion } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);
      const { hold, sweep, left } = holdFixtures(context);

      await shop([product("prod_1", { stock: 50 })]);
      const sessions = await times(200, () => openSession());
      const results = await Promise.all(sessions.map((session) => hold(session)));
      const held = sessions.filter((_, index) => results[index]?.outcome === "held");
      assert.equal(held.length, 50);
      assert.equal(results.filter(({ outcome }) => outcome === "insufficient_stock").length, 150);

      // Twenty pay by the host's own code, ten through a gateway, ten are declined, ten give up.
      const [byHost, byGateway, declined] = [
        held.slice(0, 20),
        held.slice(20, 30),
        held.slice(30, 40),
      ];
      await Promise.all([
        ...byHost.map((session) => completeSession(storage.orders, completion(session))),
        ...byGateway.map(async (session) =>
          applyPayment(storage.orders, result(await start(session), "succeeded")),
        ),
        ...declined.map(async (session) =>
          applyPayment(storage.orders, result(await start(session), "failed")),
        ),
      ]);
      assert.equal((await left())[0], 10);

      clock.advance(hour - 1);
      assert.equal(await sweep(), 0);
      clock.advance(1);
      assert.equal(await sweep(), 10);
      assert.equal(await sweep(), 0);
      assert.deepEqual([(await left())[0], await alerts()], [20, []]);
    },
  },
  {
    name: "a hold is taken once, and its order takes it over",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, coupon, openSession, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);
      const { hold, release, sweep, left } = holdFixtures(context);

      await shop([product("prod_1", { stock: 2 })]);
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses: 1 }));
      const session = await openSession({ coupon_id: "CODE", coupon_code: "CODE" });
      await times(5, () => hold(session));
      assert.deepEqual(await left(), [1, 1]);

      await hold(session, { until: clock.now() + 2 * hour });
      clock.advance(1_000);
      const attempt = await start(session);
      assert.deepEqual(await left(), [1, 1]);
      assert.deepEqual(
        [await release(session), (await hold(session)).outcome],
        ["unchanged", "payment_started"],
      );
      clock.advance(3 * hour);
      assert.equal(await sweep(), 0);

      await applyPayment(storage.orders, result(attempt, "failed"));
      assert.deepEqual(await left(), [2, 0]);
      const found = await storage.orders.findCheckout(partition, session.id);
      assert.deepEqual([found?.order?.holds, found?.session.hold], ["none", null]);
    },
  },
  {
    name: "a hold is given back at once by its own call or by nobody's, and lasts when prolonged",
    async run(context) {
      const { clock, assert } = context;
      const { shop, product, openSession } = fixtures(context);
      const { hold, release, sweep, left } = holdFixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession({ expires_at: clock.now() + 5 * hour });
      await hold(session);
      assert.equal(await release(session, { token: "another call's" }), "unchanged");
      clock.advance(hour - 1);
      await hold(session);
      clock.advance(hour - 1);
      assert.equal(await sweep(), 0);
      assert.deepEqual([await release(session), await release(session)], ["released", "unchanged"]);
      assert.equal((await left())[0], 1);

      await hold(session);
      clock.advance(hour);
      assert.equal(await sweep(), 1);
      assert.equal((await left())[0], 1);
    },
  },
  {
    name: "of forty concurrent holds of one address twenty are open",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion } = fixtures(context);
      const { hold, release } = holdFixtures(context);

      await shop();
      const address = "203.0.113.9";
      const sessions = await times(40, () => openSession());
      const held = await Promise.all(sessions.map((session) => hold(session, { address })));
      const results = held.map(({ outcome }) => outcome);
      assert.equal(results.filter((outcome) => outcome === "held").length, 20);
      assert.equal(results.filter((outcome) => outcome === "too_many_holds").length, 20);

      const [one, two] = sessions.filter((_, index) => results[index] === "held");
      if (one) assert.equal(await release(one), "released");
      if (two) await completeSession(storage.orders, completion(two));
      const more = [await openSession(), await openSession(), await openSession()];
      const again: string[] = [];
      for (const session of more) again.push((await hold(session, { address })).outcome);
      assert.deepEqual(again, ["held", "held", "too_many_holds"]);
      const last = await openSession();
      assert.equal((await hold(last, { address: "203.0.113.10" })).outcome, "held");
    },
  },
  {
    name: "a coupon's use that a session holds moves to the customer who pays",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission, completion } = fixtures(context);
      const { start } = paymentFixtures(context);
      const { hold, left } = holdFixtures(context);

      await shop();
      const limits = { max_uses: 3, max_uses_per_customer: 1 };
      await putRecord(storage.records, "coupon", coupon("CODE", limits));
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const ana = { buyer: { ...submission(await openSession()).buyer, email: "ana@example.com" } };
      const bia = { buyer: { ...ana.buyer, email: "bia@example.com" } };
      const [first, second, third] = await times(3, () => openSession(discounted));
      if (!first || !second || !third) return;
      for (const session of [first, second, third]) await hold(session);
      assert.equal((await left())[1], 3);

      await start(first, ana);
      const refused = await submitSession(storage.orders, submission(second, ana));
      assert.equal(refused.outcome, "coupon_invalid");
      await start(second, bia);
      const told = completion(third, ana);
      assert.equal((await completeSession(storage.orders, told)).outcome, "paid");
      assert.equal((await left())[1], 3);
      const alerts = await storage.access.listAlerts("str_A", { before: null, limit: 9 });
      assert.deepEqual(
        alerts.map(({ type }) => type),
        ["coupon_overused"],
      );
    },
  },
  {
    name: "a product that is blocked, a draft or deleted is refused, and `complete` never refuses",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, completion } = fixtures(context);
      const { hold } = holdFixtures(context);

      await shop([product("prod_1", { stock: 5 })]);
      const session = await openSession();
      const submit = async () => (await submitSession(storage.orders, submission(session))).outcome;
      const put = (changes: { blocked?: boolean; active?: boolean }) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { stock: 5, ...changes }), set_stock: false },
        ]);
      const both = async () => [await submit(), (await hold(session)).outcome];
      const refused = ["product_unavailable", "product_unavailable"];

      await put({ blocked: true });
      assert.deepEqual(await both(), refused);
      await put({ active: false });
      assert.deepEqual(await both(), refused);
      await put({});
      assert.equal((await hold(session)).outcome, "held");

      await deleteRecord(storage.records, "product", { store_id: "str_A", id: "prod_1" });
      assert.deepEqual(await both(), ["product_unavailable", "held"]);
      assert.equal((await completeSession(storage.orders, completion(session))).outcome, "paid");
    },
  },
];
