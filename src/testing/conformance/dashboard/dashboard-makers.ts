import { auditAuthor } from "../../../rules/audit/audit-entry.ts";
import { signedStorage } from "../../../startup/signed-storage.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { dashboardLinks as links } from "./dashboard-fixtures.ts";

const hour = 3_600_000;

/** Checks who made a link of the dashboard, its end, and what ends with its maker's session. */
export const dashboardMakerCases: readonly StorageCase[] = [
  {
    name: "a dashboard link and its session hold who made the link, and in which session",
    async run(context) {
      const { storage, clock, assert } = context;
      const { ref, create, spend, chain } = links(context);
      await chain("a");
      const { record } = await create("b", "sa");
      assert.deepEqual(await storage.dashboard.findLink(ref("b"), clock.now()), record);
      const opened = await spend("b", "sb");
      const found = await storage.dashboard.findSession(ref("sb"), clock.now());
      assert.deepEqual([found?.made_by, found?.made_in], ["actor of sa", "sa"]);
      assert.deepEqual(opened, { outcome: "opened", session: found });
      const first = await storage.dashboard.findSession(ref("sa"), clock.now());
      assert.deepEqual([first?.made_by, first?.made_in], [null, null]);
    },
  },
  {
    name: "the end of a dashboard session ends its links, what they opened, and so on",
    async run(context) {
      const { storage, assert } = context;
      const { ref, create, chain, left } = links(context);
      await chain("a");
      await chain("other");
      await create("waits");
      await chain("b", "sa");
      await chain("c", "sb");
      await create("of_a", "sa");
      await create("of_c", "sc");
      await create("of_other", "sother");
      const beside = ["of_other", "sother", "waits"];
      assert.deepEqual(await left(), ["of_a", "of_c", "sa", "sb", "sc", ...beside].sort());

      assert.equal(await storage.dashboard.endSession(ref("sb")), true);
      assert.deepEqual(await left(), ["of_a", "sa", ...beside].sort());
      assert.equal(await storage.dashboard.endSession(ref("sa")), true);
      assert.deepEqual(await left(), beside);
    },
  },
  {
    name: "the end of a dashboard session ends a chain of three hundred sessions below it",
    async run(context) {
      const { storage, assert } = context;
      const { ref, chain, left } = links(context);
      await chain("0");
      for (let depth = 1; depth <= 150; depth += 1) await chain(`${depth}`, `s${depth - 1}`);
      const wide = await times(150, (index) => chain(`wide${index}`, "s0"));
      assert.ok(wide.every(({ outcome }) => outcome === "opened"));
      assert.equal((await left()).length, 100);
      assert.equal(await storage.dashboard.endSession(ref("s0")), true);
      assert.deepEqual(await left(), []);
    },
  },
  {
    name: "links made and spent while their maker's dashboard session ends do not stay open",
    async run(context) {
      const { storage, assert } = context;
      const { ref, create, spend, chain, left } = links(context);
      for (let round = 0; round < 10; round += 1) {
        const maker = `m${round}`;
        await chain(maker);
        await times(4, (index) => create(`${maker}_${index}`, `s${maker}`));
        await Promise.all([
          spend(`${maker}_0`, `s${maker}_0`),
          spend(`${maker}_1`, `s${maker}_1`),
          spend(`${maker}_2`, `s${maker}_2`),
          storage.dashboard.endSession(ref(`s${maker}`)),
          spend(`${maker}_3`, `s${maker}_3`),
          create(`${maker}_late`, `s${maker}`),
        ]);
        assert.deepEqual(await left(), []);
      }
    },
  },
  {
    name: "a dashboard link of a session that is ended or past its time is not made",
    async run(context) {
      const { storage, clock, assert } = context;
      const { ref, create, chain, left } = links(context);
      await chain("a");
      await chain("b");
      assert.equal((await create("c", "sb")).outcome, "created");
      await storage.dashboard.endSession(ref("sa"));
      assert.equal((await create("d", "sa")).outcome, "unknown_session");
      assert.deepEqual(await left(), ["c", "sb"]);
      clock.advance(12 * hour);
      assert.equal((await create("e", "sb")).outcome, "unknown_session");
      assert.deepEqual(await left(), []);
    },
  },
  {
    name: "unspent dashboard links are listed newest first by pages, and each can be ended once",
    async run(context) {
      const { storage, clock, assert } = context;
      const { dashboard } = storage;
      const { store_id, ref, create, spend } = links(context);
      await create("old");
      clock.advance(hour / 2);
      for (const hash of ["c", "a", "b", "spent"]) await create(hash);
      clock.advance(1);
      await create("new");
      await spend("spent", "s");
      const page = async (limit: number, after?: { created_at: number; link_hash: string }) =>
        dashboard.listLinks({ store_id, limit, ...(after && { after }) }, clock.now());
      const hashes = (rows: Awaited<ReturnType<typeof page>>) => rows.map((row) => row.link_hash);

      const first = await page(3);
      assert.deepEqual(hashes(first), ["new", "a", "b"]);
      assert.deepEqual(hashes(await page(3, first[2])), ["c", "old"]);
      assert.deepEqual(hashes(await page(3, first[0])), ["a", "b", "c"]);
      assert.deepEqual(
        await dashboard.listLinks({ store_id: "str_other", limit: 9 }, clock.now()),
        [],
      );

      assert.equal(
        await dashboard.endLink({ store_id: "str_other", hash: "a" }, clock.now()),
        false,
      );
      assert.equal(await dashboard.endLink(ref("spent"), clock.now()), false);
      assert.equal(await dashboard.endLink(ref("a"), clock.now()), true);
      assert.equal(await dashboard.endLink(ref("a"), clock.now()), false);
      assert.deepEqual(await spend("a", "t"), { outcome: "unknown" });
      clock.advance(hour / 2 - 1);
      assert.deepEqual(hashes(await page(9)), ["new", "b", "c"]);
      assert.equal(await dashboard.endLink(ref("old"), clock.now()), false);
    },
  },
  {
    name: "of concurrent calls that spend a dashboard link and that end it one is carried out",
    async run(context) {
      const { storage, clock, assert } = context;
      const { ref, create, spend, left } = links(context);
      for (let round = 0; round < 10; round += 1) {
        await create("a");
        const [ended, spent] = await Promise.all([
          storage.dashboard.endLink(ref("a"), clock.now()),
          spend("a", "s"),
        ]);
        assert.equal(spent.outcome, ended ? "unknown" : "opened");
        assert.deepEqual(await left(), ended ? [] : ["s"]);
        await storage.dashboard.endSession(ref("s"));
      }
    },
  },
  {
    name: "a spent and an ended dashboard link leave entries that name the link and its maker",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { store_id, ref, create, chain } = links(context);
      const as = (action: string) => {
        const signer = { actor: "root", via: "link", made_by: "intern" } as const;
        const call = { id: newId("aud"), ...signer, action, about: "order" } as const;
        return signedStorage(storage, auditAuthor({ ...call, now: clock.now() })).dashboard;
      };
      await chain("a");
      await create("b", "sa");
      await create("c", "sa");
      const session = { session_hash: "sb", expires_at: clock.now() + hour };
      await as("links.use").spendLink(ref("b"), session, clock.now());
      await as("links.use").spendLink(ref("b"), session, clock.now());
      clock.advance(1);
      await as("links.end").endLink(ref("c"), clock.now());
      await as("links.end").endLink(ref("c"), clock.now());

      const entries = await storage.audit.list({ store_id, limit: 9 });
      const told = entries.map(({ actor, via, made_by, action, subject }) => [
        [actor, via, made_by].join(),
        [action, subject.type, subject.id].join(),
      ]);
      assert.deepEqual(told, [
        ["root,link,intern", "links.end,dashboard_link,ana@example.com"],
        ["root,link,intern", "links.use,dashboard_session,ana@example.com"],
      ]);
      const [ended, used] = entries;
      assert.deepEqual([ended?.before?.["made_by"], ended?.after], ["actor of sa", null]);
      assert.deepEqual([used?.before, used?.after?.["made_by"]], [null, "actor of sa"]);

      const plain = {
        id: newId("aud"),
        actor: "ana",
        action: "links.end",
        about: "order",
      } as const;
      await create("d");
      const author = auditAuthor({ ...plain, now: clock.now() + 1 });
      await signedStorage(storage, author).dashboard.endLink(ref("d"), clock.now());
      const [latest] = await storage.audit.list({ store_id, limit: 1 });
      assert.equal(latest?.actor, "ana");
      assert.equal(latest !== undefined && ("via" in latest || "made_by" in latest), false);
    },
  },
];
