import { putProducts } from "../../steps/product-steps.ts";
import { createKey, revokeKey } from "../../steps/record-steps.ts";
import { addAddress, createStore } from "../../steps/store-steps.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { keyRecord } from "./fixtures/record-fixtures.ts";

/** Checks API keys, which are found by their hash. */
export const keyCases: readonly StorageCase[] = [
  {
    name: "a key is found by its hash with its store, origins and return URLs",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      await createStore(storage.records, store());
      assert.equal((await createKey(storage.records, keyRecord())).outcome, "created");

      await addAddress(
        storage.records,
        { kind: "origin", store_id: "str_A", address: "https://a.example.com" },
        100,
      );
      await addAddress(
        storage.records,
        { kind: "return_url", store_id: "str_A", address: "https://a.example.com/ok" },
        100,
      );
      const found = await storage.access.findAccess("hash-1");
      assert.deepEqual(found?.key, keyRecord());
      assert.deepEqual(found?.store, store());
      assert.deepEqual(
        [found?.origins, found?.return_urls],
        [["https://a.example.com"], ["https://a.example.com/ok"]],
      );
      assert.equal(await storage.access.findAccess("hash-2"), null);
    },
  },
  {
    name: "a key keeps its exact name, and its record shows every change",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      await createStore(storage.records, store());
      const named = keyRecord({
        name: "one\ntwo\n",
        livemode: true,
        kind: "publishable",
        scopes: [],
        created_at: Number.MAX_SAFE_INTEGER,
      });
      await createKey(storage.records, named);
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.key, named);

      await revokeKey(storage.records, { store_id: "str_A", id: "key_1" }, 7);
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.key, {
        ...named,
        revoked_at: 7,
      });

      await addAddress(
        storage.records,
        { kind: "origin", store_id: "str_A", address: "https://a.example.com" },
        100,
      );
      assert.deepEqual((await storage.access.findAccess("hash-1"))?.origins, [
        "https://a.example.com",
      ]);
    },
  },
  {
    name: "a read sees every write that was answered before the read began",
    async run(context) {
      const { storage, assert } = context;
      const { store, product, partition } = fixtures(context);

      await createStore(storage.records, store());
      await createKey(storage.records, keyRecord());
      for (let turn = 1; turn <= 20; turn += 1) {
        const reads = times(10, () =>
          Promise.all([
            storage.access.findAccess("hash-1"),
            storage.catalog.findProduct(partition, "prod_1"),
          ]),
        );
        const record = product("prod_1", { name: `Name ${turn}` });
        assert.deepEqual(
          await putProducts(storage.records, "str_A", [{ record, set_stock: false }]),
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
    name: "a repeated createKey does not bring a revoked key back",
    async run(context) {
      const { storage, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      await createKey(storage.records, keyRecord());
      await revokeKey(storage.records, { store_id: "str_A", id: "key_1" }, 5);
      assert.equal((await createKey(storage.records, keyRecord())).outcome, "created");
      assert.equal((await storage.access.findAccess("hash-1"))?.key.revoked_at, 5);
      assert.equal(
        (await createKey(storage.records, keyRecord({ store_id: "str_B" }))).outcome,
        "unknown_store",
      );
    },
  },
  {
    name: "a key's last use is stored once an hour at most, and never for a revoked key",
    async run(context) {
      const { storage, assert } = context;
      const hour = 3_600_000;
      const { access, records } = storage;

      await createStore(records, fixtures(context).store());
      for (const id of ["1", "2", "3"])
        await createKey(records, keyRecord({ id: `key_${id}`, key_hash: `hash-${id}` }));
      const usesOf = async () =>
        (await access.listKeys("str_A")).map(({ last_used_at }) => last_used_at);
      const note = (used_at: number, ...hashes: readonly string[]) =>
        access.noteKeyUses(hashes.map((key_hash) => ({ key_hash, used_at })));
      assert.deepEqual(await usesOf(), [null, null, null]);

      await note(hour, "hash-1", "hash-3", "hash-unknown");
      assert.deepEqual(await usesOf(), [hour, null, hour]);
      await note(2 * hour - 1, "hash-1", "hash-2");
      assert.deepEqual(await usesOf(), [hour, 2 * hour - 1, hour]);
      await note(2 * hour, "hash-1");
      assert.deepEqual(await usesOf(), [2 * hour, 2 * hour - 1, hour]);
      await note(0, "hash-1");
      assert.deepEqual(await usesOf(), [2 * hour, 2 * hour - 1, hour]);

      assert.equal(
        (await revokeKey(records, { store_id: "str_A", id: "key_3" }, 5))?.last_used_at,
        hour,
      );
      await note(9 * hour, "hash-3");
      assert.deepEqual(await usesOf(), [2 * hour, 2 * hour - 1, hour]);
      await access.noteKeyUses([]);
      assert.equal("last_used_at" in ((await access.findAccess("hash-1"))?.key ?? {}), false);
    },
  },
  {
    name: "of many concurrent uses of the same keys, each key keeps the time of one of them",
    async run(context) {
      const { storage, assert } = context;
      const { access, records } = storage;

      await createStore(records, fixtures(context).store());
      const hashes = Array.from({ length: 20 }, (_, index) => `hash-${index}`);
      for (const key_hash of hashes)
        await createKey(records, keyRecord({ id: key_hash, key_hash }));

      await times(20, (index) => {
        const turned = [...hashes.slice(index), ...hashes.slice(0, index)];
        return access.noteKeyUses(turned.map((key_hash) => ({ key_hash, used_at: index + 1 })));
      });
      for (const { last_used_at } of await access.listKeys("str_A"))
        assert.equal(last_used_at !== null && last_used_at >= 1 && last_used_at <= 20, true);
    },
  },
  {
    name: "a second revocation keeps the time of the first",
    async run(context) {
      const { storage, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      await createKey(storage.records, keyRecord());
      await createKey(storage.records, keyRecord({ id: "key_2", key_hash: "hash-2" }));
      assert.equal(
        (await revokeKey(storage.records, { store_id: "str_A", id: "key_1" }, 5))?.revoked_at,
        5,
      );
      assert.equal(
        (await revokeKey(storage.records, { store_id: "str_A", id: "key_1" }, 9))?.revoked_at,
        5,
      );
      assert.equal(await revokeKey(storage.records, { store_id: "str_B", id: "key_1" }, 9), null);

      const keys = await storage.access.listKeys("str_A");
      assert.deepEqual(
        keys.map(({ id, revoked_at }) => [id, revoked_at]),
        [
          ["key_1", 5],
          ["key_2", null],
        ],
      );
    },
  },
];
