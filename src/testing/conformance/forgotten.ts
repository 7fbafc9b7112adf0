import { removeArchived } from "../../steps/archive-steps.ts";
import { submitSession } from "../../steps/checkout-steps.ts";
import { readPool, uploadKeys } from "../../steps/key-pool-steps.ts";
import { putRecord } from "../../steps/record-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { backOfficeFixtures } from "./fixtures/back-office-fixtures.ts";
import type { StorageCase } from "./fixtures/case.ts";
import { unknownBuyer } from "./fixtures/command-fixtures.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { engine, refuse } from "./fixtures/webhook-fixtures.ts";

/** Checks what a wipe and an erasure reach beside orders and sessions, and what they leave. */
export const forgottenCases: readonly StorageCase[] = [
  {
    name: "a wipe takes keys, cursors, revocations and kept totals of the test mode alone",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, partition, scope } = fixtures(context);
      const { sell, totals } = backOfficeFixtures(context);
      await shop();
      const modes = [partition, { ...partition, livemode: true }];

      const upload = (index: number) =>
        uploadKeys(storage.records, { ...partition, ...modes[index], product_id: "prod_1" }, [
          { id: "lic_1", key_hash: "a", hashes: ["a"], sealed_key: "sealed", last4: "a" },
        ]);
      const revoked = (index: number) =>
        storage.checkout.openCheckout({
          ...scope("k"),
          ...modes[index],
          fingerprint: "f",
          product_ids: [],
          coupon_code: null,
          customer_keys: ["ana"],
          now: clock.now(),
        });
      const claim = () => {
        const now = clock.now();
        const leased = { now, lease_until: now + 60_000, lease_token: newId("req"), limit: 10 };
        return storage.consumers.claimEvents({ consumer: "c", store_id: null, ...leased });
      };
      const alert = { type: "t", subject: "s", data: {}, created_at: clock.now() };
      await storage.access.raiseAlert({ ...partition, id: newId("alr"), ...alert }, 0);
      const revocation = { customer_keys: ["ana"], not_before: clock.now(), customer_id: "ana" };
      for (const mode of modes) {
        await upload(modes.indexOf(mode));
        await storage.orders.revokeCustomerTokens({ ...mode, ...revocation });
      }
      const order = await sell({ id: "ana" });
      await removeArchived(storage.orders, { ...partition, order_id: order.id }, () => true);
      assert.equal((await totals("ana")).length, 1);
      await claim();

      await wipeInChunks(storage, partition.store_id);
      assert.deepEqual(await totals("ana"), []);
      const answers = [await revoked(0), await revoked(1)];
      assert.deepEqual(
        answers.map(({ not_before }) => not_before),
        [null, clock.now()],
        "the revocations of the test mode and of live mode",
      );
      const added = { outcome: "uploaded", added: 1, free: 1 };
      assert.deepEqual(
        [await upload(0), await upload(1)],
        [added, { ...added, added: 0 }],
        "keys that are uploaded again in the test mode and in live mode",
      );
      const live = { ...partition, livemode: true, product_id: "prod_1" };
      assert.equal((await readPool(storage.records, live))?.free, 1);
      const listed = await storage.access.listAlerts(partition.store_id, {
        before: null,
        limit: 10,
      });
      assert.equal(listed.length, 1, "alerts stay");

      // The lease of before is gone with its cursor. Numbers and sequences go on.
      assert.equal((await sell({ id: "bia" })).number, 2);
      const work = await claim();
      assert.deepEqual(
        work?.events.map(({ sequence }) => sequence),
        [4, 5, 6],
      );
    },
  },
  {
    name: "an erasure reaches kept totals, answers of receivers and the uses of coupons",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition, coupon, openSession, submission } = fixtures(context);
      const { endpoint, drain, receiver } = await engine(context);
      const { sell, totals } = backOfficeFixtures(context);
      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses_per_customer: 1 }));
      await endpoint("we_1");
      receiver.answer = () => ({ ...refuse, snippet: "No such user: ana" });

      const email = "ana@example.com";
      const removed = await sell({ id: "ana", email });
      await sell({ id: "ana", email });
      await drain();
      await removeArchived(storage.orders, { ...partition, order_id: removed.id }, () => true);
      const submit = async (id: string | null) => {
        const session = await openSession({ coupon_id: "CODE", coupon_code: "CODE", email });
        const buyer = { ...unknownBuyer, id, email };
        return (await submitSession(storage.orders, submission(session, { buyer }))).outcome;
      };
      assert.equal(await submit("ana"), "submitted");
      assert.equal(await submit("ana"), "coupon_invalid");

      const erasure = {
        ...{ store_id: partition.store_id, customer_id: "ana", customer_keys: ["ana"] },
        now: clock.now(),
      };
      let position: string | null = null;
      do position = (await storage.privacy.eraseChunk(erasure, position)).next;
      while (position !== null);

      assert.deepEqual(await totals("ana"), []);
      const deliveries = await storage.webhooks.listDeliveries({ ...partition, limit: 10 });
      const logs = await Promise.all(deliveries.map((key) => storage.webhooks.listAttempts(key)));
      const snippets = logs.flat().map(({ snippet }) => snippet);
      assert.deepEqual(snippets, [null, null], "what the receiver answered");
      assert.equal(await submit("ana"), "submitted");
    },
  },
];
