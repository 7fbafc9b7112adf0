import type { KeyRecord } from "../../rules/records.ts";
import { fixtures, type StorageCase, times } from "./case.ts";

const key = (changes: Partial<KeyRecord> = {}): KeyRecord => ({
  id: "key_1",
  store_id: "str_A",
  livemode: false,
  kind: "secret",
  name: "k",
  scopes: ["catalog:read"],
  key_hash: "hash-1",
  last4: "abcd",
  created_at: 1,
  revoked_at: null,
  ...changes,
});

export const accessCases: readonly StorageCase[] = [
  {
    name: "a key is found by its hash with its store, origins and return URLs",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await storage.access.createStore(store());
      assert.equal((await storage.access.createKey(key())).outcome, "created");
      await storage.access.addAddress("origin", "str_A", "https://a.example.com", 1, 100);
      await storage.access.addAddress("return_url", "str_A", "https://a.example.com/ok", 1, 100);
      const found = await storage.access.findAccess("hash-1");
      assert.deepEqual(found?.key, key());
      assert.deepEqual(found?.store, store());
      assert.deepEqual(
        [found?.origins, found?.return_urls],
        [["https://a.example.com"], ["https://a.example.com/ok"]],
      );
      assert.equal(await storage.access.findAccess("hash-2"), null);
    },
  },
  {
    name: "a key's name comes back as it went in, line breaks too, and its record follows every change",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await storage.access.createStore(store());
      const named = key({
        name: "one\ntwo\n",
        livemode: true,
        kind: "publishable",
        scopes: [],
        created_at: Number.MAX_SAFE_INTEGER,
      });
      await storage.access.createKey(named);
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.key, named);
      await storage.access.revokeKey("str_A", "key_1", 7);
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.key, {
        ...named,
        revoked_at: 7,
      });
      await storage.access.addAddress("origin", "str_A", "https://a.example.com", 1, 100);
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.origins, [
        "https://a.example.com",
      ]);
    },
  },
  {
    name: "a read sees every write that was answered before it was asked, equal reads under way or not",
    async run(context) {
      const { storage, assert } = context;
      const { store, product, partition } = fixtures(context);
      await storage.access.createStore(store());
      await storage.access.createKey(key());
      for (let turn = 1; turn <= 20; turn += 1) {
        const reads = times(10, () =>
          Promise.all([
            storage.access.findAccess("hash-1"),
            storage.catalog.findProduct(partition, "prod_1"),
          ]),
        );
        const record = product("prod_1", { name: `Name ${turn}` });
        assert.deepEqual(
          await storage.catalog.putProducts("str_A", [{ record, set_stock: false }]),
          { outcome: "stored" },
        );
        const [access, found] = await Promise.all([
          storage.access.findAccess("hash-1"),
          storage.catalog.findProduct(partition, "prod_1"),
        ]);
        assert.equal(access?.store.catalog_version, store().catalog_version + turn);
        assert.equal(JSON.parse(found?.document ?? "{}").name, `Name ${turn}`);
        await reads;
      }
    },
  },
  {
    name: "createStore repeated with its id gives the stored store; a slug belongs to one store, also of twenty at once",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      const made = await times(20, (index) =>
        storage.access.createStore(store({ id: `str_${index}` })),
      );
      assert.equal(made.filter(({ outcome }) => outcome === "created").length, 1);
      const [first] = await storage.access.listStores({ after: null, limit: 10 });
      assert.equal(
        (await storage.access.createStore(store({ id: first?.id ?? "" }))).outcome,
        "created",
      );
    },
  },
  {
    name: "twenty creations of one store at once, as repeats of one call, all give that store",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await times(20, () => storage.access.findStore("str_A")); // opens the connections, or the first call is done before the next begins
      const made = await times(20, () => storage.access.createStore(store()));
      assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["created"]));
      assert.equal((await storage.access.listStores({ after: null, limit: 10 })).length, 1);
    },
  },
  {
    name: "an update of a store moves its catalog version by one, fifty at once lose none",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await storage.access.createStore(store());
      await times(50, (index) =>
        storage.access.updateStore(
          "str_A",
          index % 2 === 0 ? { maintenance: true } : { name: "B" },
        ),
      );
      assert.deepEqual(
        await storage.access.findStore("str_A"),
        store({ maintenance: true, name: "B", catalog_version: 51 }),
      );
      assert.equal(await storage.access.updateStore("str_B", { name: "B" }), null);
    },
  },
  {
    name: "a creation that is repeated does not give a revoked key back",
    async run(context) {
      const { storage, assert } = context;
      await storage.access.createStore(fixtures(context).store());
      await storage.access.createKey(key());
      await storage.access.revokeKey("str_A", "key_1", 5);
      assert.equal((await storage.access.createKey(key())).outcome, "created");
      assert.equal((await storage.access.findAccess("hash-1"))?.key.revoked_at, 5);
      assert.equal(
        (await storage.access.createKey(key({ store_id: "str_B" }))).outcome,
        "unknown_store",
      );
    },
  },
  {
    name: "a revocation keeps its first time",
    async run(context) {
      const { storage, assert } = context;
      await storage.access.createStore(fixtures(context).store());
      await storage.access.createKey(key());
      assert.equal((await storage.access.revokeKey("str_A", "key_1", 5))?.revoked_at, 5);
      assert.equal((await storage.access.revokeKey("str_A", "key_1", 9))?.revoked_at, 5);
      assert.equal(await storage.access.revokeKey("str_B", "key_1", 9), null);
    },
  },
  {
    name: "at most `max` addresses, judged inside the step under fifty adds at once",
    async run(context) {
      const { storage, assert } = context;
      await storage.access.createStore(fixtures(context).store());
      const added = await times(50, (index) =>
        storage.access.addAddress("origin", "str_A", `https://${index}.example.com`, 1, 20),
      );
      assert.equal(added.filter(({ outcome }) => outcome === "added").length, 20);
      const known = await storage.access.listAddresses("origin", "str_A");
      assert.equal(known.length, 20);
      assert.equal(
        (await storage.access.addAddress("origin", "str_A", known[0] ?? "", 1, 20)).outcome,
        "added",
      );
    },
  },
  {
    name: "twenty raises of one alert at once store it once",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      await storage.access.createStore(fixtures(context).store());
      const raise = (since: number) =>
        storage.access.raiseAlert(
          {
            id: newId("alr"),
            store_id: "str_A",
            livemode: false,
            type: "t",
            subject: "s",
            data: { a: 1 },
            created_at: clock.now(),
          },
          since,
        );
      const raised = await times(20, () => raise(clock.now() - 1_000));
      assert.equal(raised.filter((result) => result.raised).length, 1);
      clock.advance(2_000);
      assert.equal((await raise(clock.now() - 1_000)).raised, true);
      assert.equal(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).length,
        2,
      );
    },
  },
  {
    name: "a raise that is repeated gives its first answer and stores nothing more",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      await storage.access.createStore(fixtures(context).store());
      const alert = {
        id: newId("alr"),
        store_id: "str_A",
        livemode: false,
        type: "t",
        subject: "s",
        data: {},
        created_at: clock.now(),
      };
      for (const since of [clock.now() - 1_000, clock.now() - 1_000, clock.now() + 1_000])
        assert.equal((await storage.access.raiseAlert(alert, since)).raised, true);
      assert.equal(
        (await storage.access.raiseAlert({ ...alert, id: newId("alr") }, clock.now())).raised,
        false,
      );
      assert.equal(
        (
          await storage.access.raiseAlert(
            { ...alert, id: newId("alr"), livemode: true },
            clock.now(),
          )
        ).raised,
        true,
      );
      assert.equal(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).length,
        2,
      );
    },
  },
];
