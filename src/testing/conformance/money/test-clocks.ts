import { attemptDueAt } from "../../../rules/clock/due-times.ts";
import { submitSession } from "../../../steps/checkout-steps.ts";
import { beginClock, turnClock } from "../../../steps/clock-steps.ts";
import { wipeInChunks } from "../../../steps/wipe-test-data.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const dayMs = 86_400_000;
const store_id = "str_A";

/** Checks how the clock of a test mode is turned, and what its work does then. */
export const testClockCases: readonly StorageCase[] = [
  {
    name: "a test clock stops where work is due, and passes a call to a gateway by no means",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission } = fixtures(context);
      await shop();
      const submitted = await submitSession(storage.orders, submission(await openSession()));
      const attempt = submitted.outcome === "submitted" ? submitted.attempt : null;
      const call_ends = attempt && attemptDueAt(attempt, 0);

      const command = () => ({
        store_id,
        token: "one",
        now: clock.now(),
        until: clock.now() + 30_000,
      });
      const begun = await beginClock(storage.records, { ...command(), ms: dayMs });
      assert.equal(begun.outcome, "moved");
      const turn = (passes_held = false) =>
        turnClock(storage.records, { ...command(), passes_held });
      assert.equal((await turn()).outcome, "held");

      const moved = await turn(true);
      assert.ok("clock" in moved && moved.clock.offset > 0 && moved.clock.offset < dayMs);
      const work = { now: clock.now(), until: clock.now() + 600_000, limit: 50 };
      assert.equal((await storage.orders.claimWork("orders", work)).length, 1);
      assert.equal((await storage.orders.claimWork("attempts", work)).length, 0);

      const leased = await turn(true);
      assert.ok("clock" in leased);
      assert.equal((await storage.orders.claimWork("orders", work)).length, 0);
      const later = { ...work, now: call_ends ?? 0 };
      assert.equal((await storage.orders.claimWork("attempts", later)).length, 1);
    },
  },
  {
    name: "of twenty calls that turn one test clock, one has it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop } = fixtures(context);
      await shop();

      let calls = 0;
      const outcomes = await times(20, async () => {
        const command = { store_id, now: clock.now(), until: clock.now() + 30_000, ms: dayMs };
        return (await beginClock(storage.records, { ...command, token: `t${++calls}` })).outcome;
      });
      assert.equal(outcomes.filter((outcome) => outcome === "moved").length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === "taken").length, 19);
    },
  },
  {
    name: "a test clock that was turned lets a purge delete nothing sooner",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, partition, scope } = fixtures(context);
      await shop();
      const opened = await openSession();
      const command = { store_id, token: "one", now: clock.now(), until: clock.now() + 30_000 };
      await beginClock(storage.records, { ...command, ms: 60 * dayMs });
      await turnClock(storage.records, { ...command, passes_held: false });
      assert.equal((await storage.access.findStore(store_id))?.test_clock?.offset, 60 * dayMs);

      const part = { now: clock.now(), limit: 100 };
      while ((await storage.stats.count("sessions", part)) > 0);
      assert.equal(await storage.purge(clock.now(), 100), 0);
      const found = await storage.checkout.openCheckout({
        ...scope(opened.id),
        fingerprint: "f",
        product_ids: [],
        coupon_code: null,
        customer_keys: [],
        now: clock.now(),
      });
      assert.equal(found.key.outcome, "replay");
      assert.ok(await storage.checkout.findSession(partition, opened.id));
    },
  },
  {
    name: "a wipe of the test mode puts its clock back",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop } = fixtures(context);
      await shop();
      const command = { store_id, token: "one", now: clock.now(), until: clock.now() + 30_000 };
      await beginClock(storage.records, { ...command, ms: dayMs });
      await turnClock(storage.records, { ...command, passes_held: false });
      assert.equal((await storage.access.findStore(store_id))?.test_clock?.offset, dayMs);

      await wipeInChunks(storage, store_id);
      assert.equal((await storage.access.findStore(store_id))?.test_clock, undefined);
    },
  },
];
