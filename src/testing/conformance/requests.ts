import type { Partition } from "../../rules/records.ts";
import {
  blocksOf,
  entriesOf,
  mostPlaces,
  type RequestBlock,
} from "../../rules/request-log/request-log.ts";
import { claimKey, createSession } from "../../steps/key-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { type CaseContext, type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";

const hour = 3_600_000;

function requestFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const made = fixtures(context);
  const { partition } = made;
  const idOf = (index: number): string => `req_${String(index).padStart(8, "0")}`;

  /** Makes a block of the requests from `first` to `last`. */
  const block = (
    first: number,
    last: number,
    changes: Partial<RequestBlock> = {},
  ): RequestBlock => {
    const ended = { created_at: clock.now(), key_id: "key_1", status: 200, duration_ms: 1 };
    const requests = [first, last].map((index) => ({
      ...partition,
      entry: { ...ended, id: idOf(index) },
    }));
    const [made] = blocksOf(requests, hour);
    if (!made) throw new Error("Two requests make a block.");

    return { ...made, places: 1, ...changes };
  };
  const list = (where: Partition = partition, before: number | null = null, limit = 1000) =>
    storage.requests.listBlocks({ ...where, before, limit, now: clock.now() });
  const find = (id: string, store_id = partition.store_id) =>
    storage.requests.findBlocks({ store_id, id, now: clock.now() });

  return { ...made, idOf, block, list, find };
}

/** Checks the request log: blocks of requests of one store and mode. */
export const requestCases: readonly StorageCase[] = [
  {
    name: "the blocks of a store and mode are listed newest first, numbered by the places before",
    async run(context) {
      const { storage, assert } = context;
      const { partition, block, list } = requestFixtures(context);
      const other = { ...partition, livemode: !partition.livemode };

      await storage.requests.append(block(1, 2, { places: 3 }));
      await storage.requests.append(block(3, 4, { places: 2 }));
      await storage.requests.append(block(5, 6));
      await storage.requests.append(block(7, 8, other));

      const blocks = await list();
      assert.deepEqual(
        blocks.map(({ number, first_id }) => [number, first_id]),
        [
          [5, "req_00000005"],
          [3, "req_00000003"],
          [0, "req_00000001"],
        ],
      );
      assert.deepEqual(blocks[2], { ...block(1, 2, { places: 3 }), number: 0 });
      assert.deepEqual(await list(partition, 5, 1), [blocks[1]]);
      assert.equal((await list(other))[0]?.number, 0);
      assert.deepEqual(await list({ ...partition, store_id: "str_other" }), []);
    },
  },
  {
    name: "blocks of twenty writers at once stand behind each other, each once",
    async run(context) {
      const { storage, assert } = context;
      const { block, list } = requestFixtures(context);

      // Each block is written twice: the second write repeats a call whose answer was lost.
      await times(20, (index) => {
        const at = Math.floor(index / 2) * 10;
        return storage.requests.append(block(at, at + 1, { places: 2 }));
      });

      const blocks = await list();
      const numbers = blocks.map(({ number }) => number);
      assert.deepEqual(numbers, [18, 16, 14, 12, 10, 8, 6, 4, 2, 0]);
      assert.equal(new Set(blocks.map(({ last_id }) => last_id)).size, 10);
    },
  },
  {
    name: "the oldest blocks go when a store and mode have used all their places",
    async run(context) {
      const { storage, assert } = context;
      const { partition, block, list } = requestFixtures(context);
      const other = { livemode: !partition.livemode };
      await storage.requests.append(block(1, 2, { places: 4 }));
      await storage.requests.append(block(1, 2, { ...other, places: 4 }));
      await storage.requests.append(block(3, 4, { places: mostPlaces - 10 }));

      await storage.requests.append(block(5, 6, { places: 6 }));
      assert.equal((await list()).length, 3);
      await storage.requests.append(block(7, 8));

      const kept = await list();
      assert.deepEqual(
        kept.map(({ number }) => number),
        [mostPlaces, mostPlaces - 6, 4],
      );
      assert.equal((await list({ ...partition, ...other })).length, 1);
    },
  },
  {
    name: "a request is found by its id, whatever its mode, and in its own store alone",
    async run(context) {
      const { storage, assert } = context;
      const { partition, idOf, block, find } = requestFixtures(context);
      await storage.requests.append(block(1, 5));
      await storage.requests.append(block(4, 8));
      await storage.requests.append(block(20, 30, { livemode: !partition.livemode }));

      const found = async (index: number): Promise<readonly string[]> => {
        const blocks = await find(idOf(index));
        return blocks.map(({ first_id }) => first_id).sort();
      };
      assert.deepEqual(await found(5), [idOf(1), idOf(4)]);
      assert.deepEqual(await found(8), [idOf(4)]);
      assert.deepEqual(await found(9), []);
      assert.deepEqual(await found(25), [idOf(20)]);
      assert.deepEqual(await find(idOf(5), "str_other"), []);

      const [only] = await find(idOf(25));
      assert.equal(only?.livemode, !partition.livemode);
      assert.equal(only && entriesOf(only)[1]?.id, idOf(30));
    },
  },
  {
    name: "a block that has expired is neither listed nor found, and is purged",
    async run(context) {
      const { storage, clock, assert } = context;
      const { idOf, block, list, find } = requestFixtures(context);
      await storage.requests.append(block(1, 2));
      await storage.requests.append(block(3, 4, { expires_at: clock.now() + 2 * hour }));

      clock.advance(hour);
      assert.deepEqual(await find(idOf(1)), []);
      assert.deepEqual(
        (await list()).map(({ first_id }) => first_id),
        [idOf(3)],
      );
      assert.equal(await storage.purge(clock.now(), 100), 1);
      assert.equal(await storage.purge(clock.now(), 100), 0);
      assert.equal((await list()).length, 1);
    },
  },
  {
    name: "the end of the test data is the end of its requests",
    async run(context) {
      const { storage, assert } = context;
      const { partition, shop, block, list } = requestFixtures(context);
      const live = { ...partition, livemode: true };
      await shop();
      await storage.requests.append(block(1, 2, { livemode: false }));
      await storage.requests.append(block(3, 4, { livemode: true }));

      await wipeInChunks(storage, partition.store_id);
      assert.deepEqual(await list({ ...partition, livemode: false }), []);
      assert.equal((await list(live)).length, 1);
    },
  },
  {
    name: "a key with another body tells who used it, and the session that they got",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, session, scope, reply } = requestFixtures(context);
      await shop();
      const look = async (key: string) => {
        const nothing = { product_ids: [], coupon_code: null, customer_keys: [] };
        const lookup = { ...scope(key), ...nothing, fingerprint: "g", now: clock.now() };
        return (await storage.checkout.openCheckout(lookup)).key;
      };
      const outcome = "different_body";

      const opened = session();
      const answer = reply(opened);
      const draft = { session: opened, reply: answer, lock_token: null };
      await createSession(storage.checkout, scope("done"), draft);
      const { request_id } = answer;
      assert.deepEqual(await look("done"), { outcome, request_id, known_session: opened });

      const begun = session();
      const claim = { fingerprint: "f", lock_token: "token", session: begun, now: clock.now() };
      const locked = { ...claim, locked_until: clock.now() + 1_000 };
      await claimKey(storage.checkout, scope("held"), locked);
      assert.deepEqual(await look("held"), { outcome, request_id: null, known_session: begun });
    },
  },
];
