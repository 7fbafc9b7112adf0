import type { PersonRecord } from "../../../rules/owner/dashboard-records.ts";
import { personOf } from "../../../rules/owner/people.ts";
import { changePerson, invitePerson, mostPeople } from "../../../steps/person-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { dashboardLinks as links } from "./dashboard-fixtures.ts";

const passkey = {
  id: "credential",
  public_key: "pQECAyYg",
  counter: 4_294_967_295,
  transports: ["internal", "hybrid"],
  created_at: 1_700_000_000_000,
  last_used_at: null,
  refused_at: null,
};

function people(context: CaseContext) {
  const { storage, clock } = context;
  const { store_id } = fixtures(context).partition;
  const person = (id: string, more: Partial<PersonRecord> = {}): PersonRecord => ({
    store_id,
    id: `psn_${id}`,
    name: `Person ${id}`,
    access: ["keys.create"],
    created_at: clock.now(),
    made_by: null,
    made_in: null,
    last_seen_at: null,
    passkeys: [],
    ...more,
  });
  const invite = (id: string, more: Partial<PersonRecord> = {}) =>
    invitePerson(storage.records, person(id, more));
  const listed = async () => {
    const rows = await storage.dashboard.listSessions(store_id, clock.now(), "people");
    return rows.map(personOf);
  };
  return { store_id, person, invite, listed };
}

/** Checks the people of the dashboard, whose rows are among its sessions. */
export const peopleCases: readonly StorageCase[] = [
  {
    name: "a person is kept as given, once by name in a store, and is no session",
    async run(context) {
      const { storage, clock, assert } = context;
      const { store_id, person, invite, listed } = people(context);
      assert.equal(await invite("a"), "unknown_store");
      await fixtures(context).shop();
      const rights = { access: "all", passkeys: [passkey], last_seen_at: 5 } as const;
      assert.equal(await invite("a", rights), "invited");
      assert.equal(await invite("a"), "invited");
      assert.equal(await invite("b", { name: "PERSON A" }), "name_taken");
      assert.equal(await invite("b", { made_in: "psn_gone" }), "unknown_maker");
      assert.deepEqual(await listed(), [person("a", rights)]);

      const row = await storage.dashboard.findSession({ store_id, hash: "psn_a" }, clock.now());
      assert.deepEqual(personOf(row), person("a", rights));
      assert.deepEqual(await storage.dashboard.listSessions(store_id, clock.now()), []);
      assert.deepEqual(await storage.dashboard.listSessions("str_b", clock.now(), "people"), []);
      const ten = 10 * 365 * 86_400_000;
      await storage.purge(clock.now() + ten, 100);
      assert.equal((await listed()).length, 1);
    },
  },
  {
    name: "of twenty concurrent changes of a person each counts, and two have no passkey alike",
    async run(context) {
      const { storage, assert } = context;
      const { store_id, invite, listed } = people(context);
      await fixtures(context).shop();
      await invite("a", { passkeys: [passkey] });
      await invite("b");
      const one = { store_id, id: "psn_b" };
      await times(20, () =>
        changePerson(storage.records, one, {
          step: "count",
          change: (found) => ({ ...found, last_seen_at: (found.last_seen_at ?? 0) + 1 }),
        }),
      );
      const found = (await listed()).find((each) => each?.id === "psn_b");
      assert.equal(found?.last_seen_at, 20);

      const asked = async (id: string, unique: string): Promise<boolean | undefined> => {
        let taken: boolean | undefined;
        await changePerson(
          storage.records,
          { store_id, id },
          {
            step: "ask",
            unique,
            change(_person, isTaken) {
              taken = isTaken;
              return null;
            },
          },
        );
        return taken;
      };
      assert.equal(await asked("psn_b", "credential"), true);
      assert.equal(await asked("psn_b", "another"), false);
      assert.equal(await asked("psn_a", "credential"), false);
      assert.equal(await asked("psn_c", "credential"), undefined);
    },
  },
  {
    name: "a change of a person finds its maker as the list has them at that moment",
    async run(context) {
      const { storage, assert } = context;
      const { store_id, invite, listed } = people(context);
      await fixtures(context).shop();
      await invite("a", { access: "all" });
      await invite("b");
      // Each of the two gives what the maker has. The maker loses all rights at the same time.
      const give = () =>
        changePerson(
          storage.records,
          { store_id, id: "psn_b" },
          {
            step: "give",
            maker: "psn_a",
            change: (found, _isTaken, maker) => ({ ...found, access: maker?.access ?? "read" }),
          },
        );
      const lose = { step: "lose", change: (found: PersonRecord) => ({ ...found, access: [] }) };
      await Promise.all([
        give(),
        changePerson(storage.records, { store_id, id: "psn_a" }, lose),
        give(),
      ]);
      await give();
      assert.deepEqual((await listed()).find((each) => each?.id === "psn_b")?.access, []);

      const makers: (string | undefined)[] = [];
      for (const maker of ["psn_b", "psn_a", "psn_gone", null]) {
        let seen: string | undefined;
        const name = { store_id, id: "psn_b" };
        await changePerson(storage.records, name, {
          step: "ask",
          maker,
          change: (_found, _isTaken, found) => {
            // A storage may have the step decide again.
            seen = found?.id;
            return null;
          },
        });
        makers.push(seen);
      }
      assert.deepEqual(makers, ["psn_b", "psn_a", undefined, undefined]);
    },
  },
  {
    name: "the end of a person ends the sessions and links, and whoever was invited",
    async run(context) {
      const { storage, clock, assert } = context;
      const { create, chain, left, ref } = links(context);
      const { invite, listed } = people(context);
      await create("free");
      await invite("a");
      await invite("b", { made_in: "psn_a" });
      await invite("c");
      await chain("a1", "psn_a");
      await create("a2", "sa1");
      await chain("b1", "psn_b");
      await create("b2", "psn_b");
      await chain("c1", "psn_c");
      assert.equal(await storage.dashboard.endSession(ref("psn_a")), true);
      assert.deepEqual(await left(), ["free", "sc1"]);
      assert.deepEqual(
        (await listed()).map((each) => each?.id),
        ["psn_c"],
      );
      assert.equal((await create("late", "psn_a")).outcome, "unknown_session");
      assert.equal(await storage.dashboard.findSession(ref("psn_b"), clock.now()), null);
    },
  },
  {
    name: "the end of a person is decided over all people, with who stays and which links end",
    async run(context) {
      const { storage, assert } = context;
      const { create, chain, left, ref } = links(context);
      const { person, invite, listed } = people(context);
      await create("free");
      await invite("a");
      await invite("b", { made_in: "psn_a" });
      await invite("c", { made_in: "psn_a" });
      await chain("a1", "psn_a");
      await create("b1", "psn_b");
      await create("b2", "psn_b");
      await chain("c1", "psn_c");
      const before = [await left(), await listed()];

      const asked: unknown[] = [];
      const refused = (found: readonly PersonRecord[]) => {
        asked.push(found.map(({ id }) => id).sort());
        return null;
      };
      const { dashboard } = storage;
      assert.equal(await dashboard.endSession({ ...ref("psn_a"), decide: refused }), false);
      assert.equal(await dashboard.endSession({ ...ref("psn_gone"), decide: refused }), false);
      assert.deepEqual(asked, [["psn_a", "psn_b", "psn_c"]]);
      assert.deepEqual([await left(), await listed()], before);

      const kept = person("b", { made_by: "ana" });
      const decide = () => ({
        kept: [{ person: kept }],
        endsLink: ({ link_hash }: { readonly link_hash: string }) => link_hash !== "b2",
      });
      assert.equal(await dashboard.endSession({ ...ref("psn_a"), decide }), true);
      assert.deepEqual([await left(), await listed()], [["b2", "free"], [kept]]);
      assert.equal(await dashboard.endSession({ ...ref("psn_a"), decide }), false);
    },
  },
  {
    name: "a store has at most a hundred people",
    async run(context) {
      const { assert } = context;
      const { invite, listed } = people(context);
      await fixtures(context).shop();
      for (let each = 0; each < mostPeople; each += 1) await invite(`${each}`);
      assert.equal(await invite("more"), "limit");
      assert.equal((await listed()).length, mostPeople);
    },
  },
];
