import { type StorageCase, times } from "../fixtures/case.ts";
import { dashboardLinks as links } from "./dashboard-fixtures.ts";

const hour = 3_600_000;

/** Checks the dashboard's links, sessions and sent forms. */
export const dashboardCases: readonly StorageCase[] = [
  {
    name: "of twenty concurrent calls that spend a dashboard link one opens a session",
    async run(context) {
      const { storage, clock, assert } = context;
      const { store_id, ref, create, spend } = links(context);
      const { record } = await create("a");
      assert.deepEqual(await storage.dashboard.findLink(ref("a"), clock.now()), record);

      const results = await times(20, (index) => spend("a", `s${index}`));
      const opened = results.filter(({ outcome }) => outcome === "opened");
      assert.equal(opened.length, 1);
      const listed = await storage.dashboard.listSessions(store_id, clock.now());
      assert.equal(listed.length, 1);
      assert.deepEqual([listed[0]?.actor, listed[0]?.access], ["ana@example.com", ["keys.create"]]);
      assert.deepEqual(opened[0], { outcome: "opened", session: listed[0] });
      assert.equal(await storage.dashboard.findLink(ref("a"), clock.now()), null);
    },
  },
  {
    name: "a dashboard link is good for nothing from its end on, and in no other store",
    async run(context) {
      const { storage, clock, assert } = context;
      const { ref, create, spend } = links(context);
      const { outcome, record } = await create("a");
      assert.equal(outcome, "created");
      const elsewhere = { ...record, store_id: "str_other" };
      const refused = await storage.dashboard.createLink(elsewhere);
      assert.equal(refused.outcome, "unknown_store");
      const foreign = { store_id: "str_other", hash: "a" };
      assert.equal(await storage.dashboard.findLink(foreign, clock.now()), null);

      clock.advance(hour);
      assert.equal(await storage.dashboard.findLink(ref("a"), clock.now()), null);
      assert.deepEqual(await spend("a", "s"), { outcome: "unknown" });
    },
  },
  {
    name: "a dashboard session ends at its time, or at once when it is ended",
    async run(context) {
      const { storage, clock, assert } = context;
      const { store_id, ref, create, spend } = links(context);
      await create("a");
      await spend("a", "s");
      await create("b");
      clock.advance(1);
      await spend("b", "t");
      const { dashboard } = storage;
      const hashes = async () =>
        (await dashboard.listSessions(store_id, clock.now())).map((row) => row.session_hash);
      assert.deepEqual(await hashes(), ["t", "s"]);

      assert.equal(await dashboard.endSession({ store_id: "str_other", hash: "s" }), false);
      assert.equal(await dashboard.endSession(ref("s")), true);
      assert.equal(await dashboard.endSession(ref("s")), false);
      assert.equal(await dashboard.findSession(ref("s"), clock.now()), null);

      clock.advance(12 * hour - 1);
      assert.equal((await dashboard.findSession(ref("t"), clock.now()))?.session_hash, "t");
      clock.advance(1);
      assert.equal(await dashboard.findSession(ref("t"), clock.now()), null);
      assert.deepEqual(await hashes(), []);
    },
  },
  {
    name: "of twenty concurrent calls that take a form one takes it, and each store has its own",
    async run({ storage, clock, assert }) {
      const form = { store_id: "str_a", form_id: "f", expires_at: clock.now() + hour };
      const results = await times(20, () => storage.dashboard.takeForm(form));
      assert.equal(results.filter(({ outcome }) => outcome === "taken").length, 1);
      for (const store_id of ["str_b", ""])
        assert.equal((await storage.dashboard.takeForm({ ...form, store_id })).outcome, "taken");
    },
  },
  {
    name: "what the dashboard keeps is purged when its time is over",
    async run(context) {
      const { storage, clock, assert } = context;
      const { store_id, create, spend } = links(context);
      await create("a");
      await create("b");
      await spend("b", "s");
      const form = { store_id, form_id: "f", expires_at: clock.now() + hour };
      await storage.dashboard.takeForm(form);

      assert.equal(await storage.purge(clock.now(), 100), 0);
      clock.advance(hour);
      assert.equal(await storage.purge(clock.now(), 100), 2);
      assert.equal((await storage.dashboard.takeForm(form)).outcome, "taken");
      clock.advance(11 * hour);
      assert.equal(await storage.purge(clock.now(), 100), 2);
    },
  },
];
