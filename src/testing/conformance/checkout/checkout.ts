import type { KeyClaimResult, KeyScope } from "../../../rules/checkout/checkout-records.ts";
import type { SessionRecord } from "../../../rules/records.ts";
import { claimKey, createSession, releaseKey } from "../../../steps/key-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

const lease = 30_000;

/** Checks the idempotency keys of checkout sessions. */
export const checkoutCases: readonly StorageCase[] = [
  {
    name: "of twenty concurrent claims of one idempotency key one wins",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session } = fixtures(context);

      await shop();
      const claims = await times(20, (index) =>
        claimKey(storage.checkout, scope("k"), {
          fingerprint: "f",
          lock_token: `t${index}`,
          session: session(),
          now: clock.now(),
          locked_until: clock.now() + lease,
        }),
      );
      assert.equal(claims.filter(({ outcome }) => outcome === "claimed").length, 1);
      assert.equal(claims.filter(({ outcome }) => outcome === "in_progress").length, 19);
    },
  },
  {
    name: "twenty concurrent sessions under one key create one, and the others replay it",
    async run(context) {
      const { storage, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);

      await shop();
      const results = await times(20, () => {
        const own = session();
        const draft = { session: own, reply: reply(own), lock_token: null };
        return createSession(storage.checkout, scope("k"), draft);
      });
      assert.equal(results.filter(({ outcome }) => outcome === "created").length, 1);

      const bodies = results.flatMap((result) =>
        result.outcome === "replay" ? [result.reply.body] : [],
      );
      assert.equal(bodies.length, 19);
      assert.equal(new Set(bodies).size, 1);
    },
  },
  {
    name: "a createSession that is repeated with its session id reports `created` again",
    async run(context) {
      const { storage, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);

      await shop();
      const own = session();
      const draft = { session: own, reply: reply(own), lock_token: null };
      assert.equal((await createSession(storage.checkout, scope("k"), draft)).outcome, "created");
      assert.equal((await createSession(storage.checkout, scope("k"), draft)).outcome, "created");
    },
  },
  {
    name: "a released claim keeps its session, and another body can take the key",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session } = fixtures(context);

      await shop();
      const [one, two, three] = [session(), session({ amount_total: 2 }), session()];
      const claim = (fingerprint: string, lock_token: string, own: SessionRecord) =>
        claimKey(storage.checkout, scope("k"), {
          fingerprint,
          lock_token,
          session: own,
          now: clock.now(),
          locked_until: clock.now() + lease,
        });
      await claim("f", "one", one);
      assert.equal((await claim("g", "two", two)).outcome, "different_body");

      await releaseKey(storage.checkout, scope("k"), "not mine");
      assert.equal((await claim("f", "two", two)).outcome, "in_progress");

      await releaseKey(storage.checkout, scope("k"), "one");
      assert.deepEqual(await claim("f", "two", two), { outcome: "claimed", session: one });

      await releaseKey(storage.checkout, scope("k"), "two");
      assert.deepEqual(await claim("g", "three", three), { outcome: "claimed", session: three });
    },
  },
  {
    name: "one look-up returns the key's state and the cart, and forgets the key after a day",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply, coupon } = fixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE"));
      const own = session();
      const stored = reply(own);
      await createSession(storage.checkout, scope("k"), {
        session: own,
        reply: stored,
        lock_token: null,
      });
      const look = (fingerprint: string) =>
        storage.checkout.openCheckout({
          ...scope("k"),
          fingerprint,
          product_ids: ["prod_1"],
          coupon_code: "CODE",
          customer_keys: [],
          now: clock.now(),
        });
      const { key, cart } = await look("f");
      assert.deepEqual(key, { outcome: "replay", reply: stored, session: own });
      assert.deepEqual([cart.products.length, cart.coupon?.used], [1, 0]);
      assert.equal((await look("g")).key.outcome, "different_body");

      clock.advance(24 * 3_600_000);
      assert.equal((await look("f")).key.outcome, "free");
    },
  },
  {
    name: "the look-up returns the customer's revocation, of its own store and mode alone",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope } = fixtures(context);
      await shop();
      const { store_id, livemode } = scope("k");
      const revoke = (where: { store_id: string; livemode: boolean }, time: number) =>
        storage.orders.revokeCustomerTokens({
          ...where,
          customer_keys: ["ana"],
          not_before: time,
          customer_id: "ana",
        });
      await revoke({ store_id, livemode: !livemode }, 9_000);
      await revoke({ store_id: "str_other", livemode }, 9_000);

      const notBefore = async (...customer_keys: string[]) => {
        const lookup = {
          ...scope("k"),
          fingerprint: "f",
          product_ids: ["prod_1"],
          coupon_code: null,
          customer_keys,
          now: clock.now(),
        };
        return (await storage.checkout.openCheckout(lookup)).not_before;
      };
      assert.equal(await notBefore("ana"), null);
      await revoke({ store_id, livemode }, 2_000);
      assert.equal(await notBefore("ana"), 2_000);
      assert.equal(await notBefore("bia"), null);
      assert.equal(await notBefore(), null);

      // These are the names of a customer under an old seal key, and of an older version.
      assert.equal(await notBefore("new", "old", "ana"), 2_000);
      const keys = ["new", "ana"];
      await storage.orders.revokeCustomerTokens({
        store_id,
        livemode,
        customer_keys: keys,
        not_before: 1_000,
        customer_id: "ana",
      });
      assert.equal(await notBefore("new"), 2_000);
      assert.equal(await notBefore("ana"), null);
    },
  },
  {
    name: "an idempotency key belongs to its store, mode, key kind and operation",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, openSession } = fixtures(context);

      await shop();
      const { id } = await openSession();
      const look = async (changes: Partial<KeyScope>) =>
        (
          await storage.checkout.openCheckout({
            ...scope(id),
            ...changes,
            fingerprint: "f",
            product_ids: [],
            coupon_code: null,
            customer_keys: [],
            now: clock.now(),
          })
        ).key.outcome;
      assert.equal(await look({}), "replay");

      const others: readonly Partial<KeyScope>[] = [
        { store_id: "str_B" },
        { livemode: true },
        { key_kind: "secret" },
        { operation: "other" },
        { idempotency_key: id.toLowerCase() },
      ];
      for (const other of others) assert.equal(await look(other), "free");
    },
  },
  {
    name: "one caller takes over an expired claim, and the first holder replays its session",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);

      await shop();
      const claim = (lock_token: string) =>
        claimKey(storage.checkout, scope("k"), {
          fingerprint: "f",
          lock_token,
          session: session({ id: `cs_${lock_token}` }),
          now: clock.now(),
          locked_until: clock.now() + lease,
        });
      const finish = (lock_token: string) => {
        const own = session({ id: "cs_first" });
        return createSession(storage.checkout, scope("k"), {
          session: own,
          reply: reply(own),
          lock_token,
        });
      };
      const sessionOf = (result: KeyClaimResult) => "session" in result && result.session.id;
      assert.equal(sessionOf(await claim("first")), "cs_first");

      clock.advance(lease - 1);
      assert.equal((await claim("early")).outcome, "in_progress");

      clock.advance(1);
      const takers = await times(20, (index) => claim(`t${index}`));
      const taken = takers.findIndex(({ outcome }) => outcome === "claimed");
      assert.equal(takers.filter(({ outcome }) => outcome === "claimed").length, 1);
      assert.deepEqual(
        takers.flatMap((taker) => sessionOf(taker) || []),
        ["cs_first"],
      );
      assert.equal((await finish("first")).outcome, "in_progress");
      assert.equal((await finish(`t${taken}`)).outcome, "created");

      const stored = await claim("late");
      assert.equal(stored.outcome, "replay");
      // The loser built the same session under another request id. It must answer with the stored
      // reply, not with its own bytes.
      assert.deepEqual(await finish("first"), stored);
    },
  },
  {
    name: "a new body can take a key that is older than a day",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);

      await shop();
      const first = session();
      await createSession(storage.checkout, scope("k"), {
        session: first,
        reply: reply(first),
        lock_token: null,
      });
      clock.advance(24 * 3_600_000);
      const second = session();
      const stored = reply(second, "g");
      assert.deepEqual(
        await createSession(storage.checkout, scope("k"), {
          session: second,
          reply: stored,
          lock_token: null,
        }),
        {
          outcome: "created",
        },
      );

      const lookup = {
        ...scope("k"),
        fingerprint: "g",
        product_ids: [],
        coupon_code: null,
        customer_keys: [],
        now: clock.now(),
      };
      assert.deepEqual((await storage.checkout.openCheckout(lookup)).key, {
        outcome: "replay",
        reply: stored,
        session: second,
      });
      assert.equal((await storage.checkout.findSession(first, first.id))?.session.id, first.id);
    },
  },
];
