import { type StorageCase, times } from "../fixtures/case.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks the cursors of event consumers. */
export const consumerCases: readonly StorageCase[] = [
  {
    name: "one worker at a time leases a consumer's cursor, and no event is skipped",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { paidOrder } = paymentFixtures(context);

      await paidOrder();
      const claim = (lease_token: string, limit = 2) =>
        storage.consumers.claimEvents({
          consumer: "c",
          store_id: null,
          now: clock.now(),
          lease_until: clock.now() + 60_000,
          lease_token,
          limit,
        });
      const claimed = await times(8, () => claim(newId("req")));
      const won = claimed.filter((work) => work !== null);
      assert.equal(won.length, 1);
      assert.deepEqual(
        won[0]?.events.map(({ sequence }) => sequence),
        [1, 2],
      );

      clock.advance(60_000);
      const late = await claim("late");
      assert.deepEqual([late?.events[0]?.sequence, late?.last_sequence], [1, 2]);

      const cursor = { store_id: late?.store_id ?? "", livemode: false, consumer: "c" };
      assert.equal(
        await storage.consumers.advance({ ...cursor, lease_token: "someone else" }, 3, 0),
        false,
      );
      assert.equal(
        await storage.consumers.advance(
          { ...cursor, lease_token: "late" },
          2,
          clock.now() + 60_000,
        ),
        true,
      );
      // This renewal of the lease arrives late: its position is behind the stored one.
      assert.equal(
        await storage.consumers.advance(
          { ...cursor, lease_token: "late" },
          1,
          clock.now() + 60_000,
        ),
        true,
      );

      await storage.consumers.release(
        { ...cursor, lease_token: "late" },
        { failures: 3, retry_at: clock.now() + 1_000 },
      );
      assert.equal(await claim("early"), null);

      clock.advance(1_000);
      const rest = await claim("rest");
      assert.deepEqual([rest?.events.map(({ sequence }) => sequence), rest?.failures], [[3], 3]);
    },
  },
  {
    name: "a consumer's lag is what lies after its cursor, in one store or in all",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { paidOrder } = paymentFixtures(context);
      const lag = (store_id: string | null = null) => storage.consumers.lag("c", store_id);
      assert.deepEqual(await lag(), { partitions: 0, events: 0, oldest_created_at: null });

      const started = clock.now();
      await paidOrder();
      const behind = await lag();
      assert.equal(behind.partitions, 1);
      assert.equal(behind.events, 3);
      assert.equal(behind.oldest_created_at, started);
      assert.equal((await lag("str_another")).events, 0);

      clock.advance(1_000);
      const lease_token = newId("req");
      const work = await storage.consumers.claimEvents({
        consumer: "c",
        store_id: null,
        now: clock.now(),
        lease_until: clock.now() + 60_000,
        lease_token,
        limit: 50,
      });
      const cursor = { store_id: work?.store_id ?? "", livemode: false, consumer: "c" };
      await storage.consumers.advance({ ...cursor, lease_token }, 2, clock.now() + 60_000);
      assert.equal((await lag(cursor.store_id)).events, 1);
      await storage.consumers.advance({ ...cursor, lease_token }, 3, clock.now() + 60_000);
      assert.deepEqual(await lag(), { partitions: 0, events: 0, oldest_created_at: null });
    },
  },
];
