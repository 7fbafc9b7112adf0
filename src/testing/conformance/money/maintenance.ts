import { submitSession } from "../../../steps/checkout-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

/** Checks what maintenance claims and what it purges. */
export const maintenanceCases: readonly StorageCase[] = [
  {
    name: "work that maintenance has claimed is not claimed again before its lease ends",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission } = fixtures(context);

      await shop();
      for (let at = 0; at < 12; at++)
        await submitSession(storage.orders, submission(await openSession()));
      clock.advance(1_800_000);
      const work = { now: clock.now(), until: clock.now() + 600_000, limit: 5 };
      for (const kind of ["orders", "attempts"] as const) {
        const take = async (): Promise<readonly string[]> =>
          (await storage.orders.claimWork(kind, work)).map(({ id }) => id);
        const taken = (await times(4, take)).flat();
        assert.equal(new Set(taken).size, taken.length);

        const rest = (await times(3, take)).flat();
        assert.equal(new Set([...taken, ...rest]).size, 12);
      }

      clock.advance(600_000);
      assert.equal(
        (await storage.orders.claimWork("orders", { ...work, now: clock.now(), limit: 50 })).length,
        12,
      );
    },
  },
  {
    name: "a purge deletes idempotency keys that are older than a day, and no others",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, scope } = fixtures(context);

      await shop();
      await openSession();
      clock.advance(86_400_000);
      const young = await openSession();
      assert.ok((await storage.purge(clock.now(), 100)) >= 1);
      assert.equal(await storage.purge(clock.now(), 100), 0);

      const lookup = {
        ...scope(young.id),
        fingerprint: "f",
        product_ids: [],
        coupon_code: null,
        customer_keys: [],
        now: clock.now(),
      };
      assert.equal((await storage.checkout.openCheckout(lookup)).key.outcome, "replay");
    },
  },
  {
    name: "a purge deletes no more rows of a kind than its limit, and the next one goes on",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession } = fixtures(context);

      await shop();
      for (let count = 0; count < 3; count += 1) {
        await openSession();
        clock.advance(1_000);
      }
      clock.advance(86_400_000);
      const purge = (limit: number) => storage.purge(clock.now(), limit);
      assert.deepEqual([await purge(2), await purge(2), await purge(2)], [2, 1, 0]);
    },
  },
];
