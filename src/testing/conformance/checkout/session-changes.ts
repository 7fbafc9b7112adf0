import type { SessionChangeResult } from "../../../rules/checkout/session-change.ts";
import { versionOf } from "../../../rules/checkout/session-version.ts";
import type { SessionRecord } from "../../../rules/records.ts";
import {
  changeSession,
  completeSession,
  holdSession,
  releaseHold,
  submitSession,
} from "../../../steps/checkout-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const hour = 3_600_000;

type Outcome = SessionChangeResult["outcome"];

interface ChangeCommand {
  /** Null changes the session as a form of the checkout page does. */
  readonly key?: string | null;
  readonly request_id?: string;
  readonly fingerprint?: string;
}

/** Changes sessions under idempotency keys. */
function changeFixtures(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { partition, scope, reply } = fixtures(context);

  /** Writes the session with these fields over the version that is given. */
  const change = async (
    session: SessionRecord,
    fields: Partial<SessionRecord>,
    { key = newId("req"), request_id = newId("req"), fingerprint = "f" }: ChangeCommand = {},
  ): Promise<Outcome> => {
    const changed = { ...session, ...fields, version: versionOf(session) + 1 };
    const { outcome } = await changeSession(storage.orders, {
      ...partition,
      session_id: session.id,
      new_customer_id: newId("cus"),
      keyed:
        key === null
          ? null
          : {
              scope: { ...scope(key), operation: "updateCheckoutSession" },
              reply: { ...reply(changed, fingerprint), request_id, created_at: clock.now() },
            },
      changed,
      now: clock.now(),
      from_source: false,
    });
    return outcome;
  };
  const stored = async ({ id }: SessionRecord): Promise<SessionRecord | undefined> =>
    (await storage.checkout.findSession(partition, id))?.session;
  return { change, stored };
}

const linesOf = (session: SessionRecord, product_id: string, quantity: number) => ({
  lines: session.lines.map((line) => ({ ...line, product_id, quantity })),
});

/** Checks what becomes of a session that is changed before it is paid. */
export const sessionChangeCases: readonly StorageCase[] = [
  {
    name: "a change of a session is written once with its key, and its repeat gives the reply",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, scope } = fixtures(context);
      const { change, stored } = changeFixtures(context);

      await shop();
      const session = await openSession();
      const once = { key: "change-1", request_id: "req_1" };
      assert.equal(await change(session, { email: "a@example.com" }, once), "changed");
      // As after a lost acknowledgement, and as a client repeats it.
      assert.equal(await change(session, { email: "a@example.com" }, once), "changed");
      const again = { key: "change-1" };
      assert.equal(await change(session, { email: "a@example.com" }, again), "replay");
      const other = { key: "change-1", fingerprint: "g" };
      assert.equal(await change(session, { email: "b@example.com" }, other), "different_body");

      const changed = await stored(session);
      assert.deepEqual([changed?.email, changed?.version], ["a@example.com", 2]);
      const { key } = await storage.checkout.openCheckout({
        ...scope("change-1"),
        operation: "updateCheckoutSession",
        ...{ fingerprint: "f", now: clock.now(), product_ids: [], coupon_code: null },
        customer_keys: [],
      });
      assert.deepEqual(key.outcome === "replay" && key.reply.request_id, "req_1");
    },
  },
  {
    name: "of twenty changes of one version at once one is written, with keys or without",
    async run(context) {
      const { assert } = context;
      const { shop, openSession } = fixtures(context);
      const { change, stored } = changeFixtures(context);

      await shop();
      for (const under of [{}, { key: null }]) {
        const session = await openSession();
        const outcomes = await times(20, (index) =>
          change(session, { email: `buyer-${index}@example.com` }, under),
        );
        assert.equal(outcomes.filter((outcome) => outcome === "changed").length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === "moved").length, 19);
        assert.equal((await stored(session))?.version, 2);
      }
    },
  },
  {
    name: "of changes of ten sessions under one key at once one is written",
    async run(context) {
      const { assert } = context;
      const { shop, openSession } = fixtures(context);
      const { change, stored } = changeFixtures(context);

      await shop();
      const sessions = await times(10, () => openSession());
      const outcomes = await Promise.all(
        sessions.map((session) =>
          change(session, { email: "a@example.com" }, { key: "one", fingerprint: session.id }),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome === "changed").length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === "different_body").length, 9);
      const versions = (await Promise.all(sessions.map(stored))).map((found) => found?.version);
      assert.equal(versions.filter((version) => version === 2).length, 1);
    },
  },
  {
    name: "a payment that begins beside a change is of what its buyer saw, or does not begin",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission } = fixtures(context);
      const { change, stored } = changeFixtures(context);

      await shop();
      for (const session of await times(10, () => openSession())) {
        const [changed, submitted] = await Promise.all([
          change(session, { amount_total: 5_000 }),
          submitSession(storage.orders, submission(session, { seen_version: 1 })),
        ]);
        const pair = `${changed} and ${submitted.outcome}`;
        assert.ok(["changed and session_changed", "payment_started and submitted"].includes(pair));
        const found = await stored(session);
        assert.equal(found?.amount_total, changed === "changed" ? 5_000 : session.amount_total);
      }
    },
  },
  {
    name: "a session that is paid, over, unknown or in payment is not changed",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission, completion, session } = fixtures(context);
      const { change } = changeFixtures(context);

      await shop();
      const [paid, pending, late] = [await openSession(), await openSession(), await openSession()];
      await completeSession(storage.orders, completion(paid));
      await submitSession(storage.orders, submission(pending));
      assert.equal(await change(paid, { email: null }), "session_not_open");
      assert.equal(await change(pending, { email: null }), "payment_started");
      assert.equal(await change(session(), { email: null }), "unknown_session");
      clock.advance(hour);
      assert.equal(await change(late, { email: null }), "session_expired");
    },
  },
  {
    name: "what a session holds follows its change, and nothing leaks",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { partition, shop, product, coupon, openSession } = fixtures(context);
      const { change, stored } = changeFixtures(context);

      await shop([product("prod_1", { stock: 5 }), product("prod_2", { stock: 5 })]);
      const code = coupon("cpn_1", { max_uses: 1 });
      await putRecord(storage.records, "coupon", code);
      const session = await openSession();
      const { store_id } = partition;
      const held = await holdSession(storage.orders, {
        ...{ ...partition, session_id: session.id, until: clock.now() + hour, token: "t" },
        ...{ address: null, new_customer_id: newId("cus"), now: clock.now() },
      });
      assert.equal(held.outcome, "held");
      const left = async (): Promise<readonly unknown[]> => {
        const cart = await storage.checkout.loadCart(partition, ["prod_1", "prod_2"], code.code);
        const onHand = new Map(cart.products.map(({ id, on_hand }) => [id, on_hand]));
        return [onHand.get("prod_1"), onHand.get("prod_2"), cart.coupon?.used];
      };
      assert.deepEqual(await left(), [4, 5, 0]);

      // A refusal finishes no key: under the same one the change is judged again.
      for (let repeats = 0; repeats < 2; repeats += 1) {
        const short = await change(session, linesOf(session, "prod_2", 6), { key: "short" });
        assert.equal(short, "insufficient_stock");
        assert.deepEqual(await left(), [4, 5, 0]);
      }

      const couponed = { ...linesOf(session, "prod_2", 5), coupon_id: code.id };
      assert.equal(await change(session, { ...couponed, coupon_code: code.code }), "changed");
      assert.deepEqual(await left(), [5, 0, 1]);

      // Its own pieces and its own use of the coupon do not stand in the way of a change.
      const second = (await stored(session)) ?? session;
      assert.equal(await change(second, linesOf(second, "prod_2", 4)), "changed");
      assert.deepEqual(await left(), [5, 1, 1]);

      const third = (await stored(session)) ?? session;
      const bare = { ...linesOf(third, "prod_1", 2), coupon_id: null, coupon_code: null };
      assert.equal(await change(third, bare), "changed");
      assert.deepEqual(await left(), [3, 5, 0]);

      const command = { store_id, livemode: false, session_id: session.id };
      await releaseHold(storage.orders, { ...command, token: null, ended_by: null });
      assert.deepEqual(await left(), [5, 5, 0]);
    },
  },
];
