import type { KeyScope, SessionDraftResult } from "../../../rules/checkout/checkout-records.ts";
import { startOfDay } from "../../../rules/checkout/session-day.ts";
import type { Partition } from "../../../rules/records.ts";
import { claimKey, createSession, releaseKey } from "../../../steps/key-steps.ts";
import { wipeInChunks } from "../../../steps/wipe-test-data.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const day = 86_400_000;
const max_per_day = 10;

/** Makes sessions where a store may get ten on a day. */
function bounded(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { scope, session, reply } = fixtures(context);
  const scopeIn = (where: Partial<Partition>, key: string): KeyScope => ({
    ...scope(key),
    ...where,
  });

  const create = (where: Partial<Partition> = {}, key = newId("req")) => {
    const own = session(where);
    const draft = { session: own, reply: reply(own), lock_token: null, max_per_day };
    return createSession(storage.checkout, scopeIn(where, key), draft);
  };
  const claim = (key = newId("req"), lock_token = newId("req")) =>
    claimKey(storage.checkout, scope(key), {
      fingerprint: "f",
      lock_token,
      session: session(),
      max_per_day,
      now: clock.now(),
      locked_until: clock.now() + 30_000,
    });
  const keyOf = async (key: string) => {
    const lookup = { fingerprint: "f", product_ids: [], coupon_code: null, customer_keys: [] };
    const opened = await storage.checkout.openCheckout({
      ...scope(key),
      ...lookup,
      now: clock.now(),
    });
    return opened.key;
  };
  return { create, claim, keyOf };
}

const count = (results: readonly { readonly outcome: string }[], outcome: string): number =>
  results.filter((result) => result.outcome === outcome).length;

/** Checks the bound of sessions for each store, mode and UTC day. */
export const sessionDayCases: readonly StorageCase[] = [
  {
    name: "of forty concurrent sessions ten are created where a day may have ten",
    async run(context) {
      const { clock, assert } = context;
      const { shop } = fixtures(context);
      const { create } = bounded(context);
      await shop();

      const results = await times(40, () => create());
      assert.deepEqual([count(results, "created"), count(results, "too_many_sessions")], [10, 30]);
      assert.equal((await create({ livemode: true })).outcome, "created");
      assert.equal((await create({ store_id: "str_other" })).outcome, "created");

      const tomorrow = startOfDay(clock.now()) + day;
      clock.advance(tomorrow - 1 - clock.now());
      assert.equal((await create()).outcome, "too_many_sessions");
      clock.advance(1);
      assert.equal((await create()).outcome, "created");
    },
  },
  {
    name: "of forty concurrent claims ten are given where a day may have ten sessions",
    async run(context) {
      const { assert } = context;
      const { shop } = fixtures(context);
      const { create, claim } = bounded(context);
      await shop();

      const results = await times(40, () => claim());
      assert.deepEqual([count(results, "claimed"), count(results, "too_many_sessions")], [10, 30]);
      assert.equal((await create()).outcome, "too_many_sessions");
    },
  },
  {
    name: "a session beyond the bound of its day writes nothing, and its key stays free",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition, session, scope, reply } = fixtures(context);
      const { create, claim, keyOf } = bounded(context);
      await shop();
      await times(10, () => create());

      const extra = session();
      const draft = { session: extra, reply: reply(extra), lock_token: null };
      const refused = await createSession(storage.checkout, scope("k"), { ...draft, max_per_day });
      assert.deepEqual(refused, { outcome: "too_many_sessions" });
      assert.deepEqual(await claim("l"), { outcome: "too_many_sessions" });
      assert.equal(await storage.checkout.findSession(partition, extra.id), null);
      for (const key of ["k", "l"])
        assert.deepEqual(await keyOf(key), { outcome: "free", draft: null });

      clock.advance(day);
      assert.equal((await create({}, "k")).outcome, "created");
      assert.equal((await claim("l")).outcome, "claimed");
    },
  },
  {
    name: "a repeated key counts nothing for its day; another session under it counts",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);
      const { create, claim } = bounded(context);
      await shop();

      const same = await times(40, () => create({}, "k"));
      assert.deepEqual([count(same, "created"), count(same, "replay")], [1, 39]);
      const claimed = await claim("l", "first");
      assert.deepEqual(await claim("l", "first"), claimed);
      await releaseKey(storage.checkout, scope("l"), "first");
      assert.deepEqual(await claim("l", "second"), claimed);

      const rest = await times(12, () => create());
      assert.equal(count(rest, "created"), 8);
      assert.equal((await create({}, "k")).outcome, "replay");

      // A released key may be taken with another body: that session is one more.
      await releaseKey(storage.checkout, scope("l"), "second");
      const other = await claimKey(storage.checkout, scope("l"), {
        fingerprint: "g",
        lock_token: "third",
        session: session(),
        max_per_day,
        now: clock.now(),
        locked_until: clock.now() + 30_000,
      });
      assert.equal(other.outcome, "too_many_sessions");

      // The session of a claim was counted with it, and now gets its address.
      assert.deepEqual(await claim("l", "fourth"), claimed);
      const held = "session" in claimed ? claimed.session : session();
      const draft = { session: held, reply: reply(held), lock_token: "fourth", max_per_day };
      const finished: SessionDraftResult = await createSession(storage.checkout, scope("l"), draft);
      assert.equal(finished.outcome, "created");
    },
  },
  {
    name: "the counts of days go with the test data, and are purged when their day is over",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition } = fixtures(context);
      const { create } = bounded(context);
      await shop();
      await times(10, () => create());
      await times(10, () => create({ livemode: true }));

      await wipeInChunks(storage, partition.store_id);
      assert.equal((await create()).outcome, "created");
      assert.equal((await create({ livemode: true })).outcome, "too_many_sessions");

      await storage.purge(clock.now(), 100);
      assert.equal((await create({ livemode: true })).outcome, "too_many_sessions");

      // Keys and limits of the day are purged first: what is left are the two counts.
      const today = startOfDay(clock.now());
      clock.advance(today + 2 * day - 1 - clock.now());
      await storage.purge(clock.now(), 100);
      clock.advance(1);
      assert.equal(await storage.purge(clock.now(), 100), 2);
    },
  },
];
