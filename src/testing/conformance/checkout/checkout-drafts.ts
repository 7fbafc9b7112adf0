import type { SessionRecord } from "../../../rules/records.ts";
import { holdSession } from "../../../steps/checkout-steps.ts";
import { claimKey, createSession } from "../../../steps/key-steps.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const lease = 30_000;

/** Checks sessions that are stored with the claim of their key, before they have an address. */
export const draftCases: readonly StorageCase[] = [
  {
    name: "a request that takes a key over goes on with the session that was begun",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply, partition } = fixtures(context);

      await shop();
      const [first, second, third] = [session(), session({ amount_total: 7 }), session()];
      const claim = (lock_token: string, own: SessionRecord) =>
        claimKey(storage.checkout, scope("k"), {
          fingerprint: "f",
          lock_token,
          session: own,
          now: clock.now(),
          locked_until: clock.now() + lease,
        });
      const look = async () => {
        const lookup = { ...scope("k"), fingerprint: "f", product_ids: [], coupon_code: null };
        const opened = await storage.checkout.openCheckout({
          ...lookup,
          customer_keys: [],
          now: clock.now(),
        });
        return opened.key;
      };
      await claim("first", first);
      clock.advance(lease);
      assert.deepEqual(await look(), { outcome: "free", draft: first });
      assert.deepEqual(await claim("second", second), { outcome: "claimed", session: first });

      // The session keeps what it took meanwhile when it gets its address.
      const hold = { until: clock.now() + 60_000, token: "h", address: null };
      const held = await holdSession(storage.orders, {
        ...partition,
        ...hold,
        session_id: first.id,
        new_customer_id: "cus_1",
        now: clock.now(),
      });
      assert.equal(held.outcome, "held");
      const checkout_url = "https://pay.example.com/1";
      const finished = { ...first, checkout_url };
      await createSession(storage.checkout, scope("k"), {
        session: finished,
        reply: reply(finished),
        lock_token: "second",
      });
      const found = (await storage.checkout.findSession(partition, first.id))?.session;
      assert.deepEqual([found?.checkout_url, found?.hold?.token], [checkout_url, "h"]);

      await claimKey(storage.checkout, scope("late"), {
        fingerprint: "f",
        lock_token: "late",
        session: second,
        now: clock.now(),
        locked_until: clock.now() + lease,
      });
      clock.advance(second.expires_at - clock.now());
      const anew = await claimKey(storage.checkout, scope("late"), {
        fingerprint: "f",
        lock_token: "later",
        session: third,
        now: clock.now(),
        locked_until: clock.now() + lease,
      });
      assert.deepEqual(anew, { outcome: "claimed", session: third });
    },
  },
];
