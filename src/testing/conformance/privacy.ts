import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import type { Erasure } from "../../rules/owner/erasure.ts";
import type { Renewal } from "../../rules/subscriptions/subscription-commands.ts";
import { applyPayment, completeSession, submitSession } from "../../steps/checkout-steps.ts";
import { createSession } from "../../steps/key-steps.ts";
import { openDispute, reserveRefund } from "../../steps/order-steps.ts";
import { renew } from "../../steps/subscription-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { type CaseContext, type StorageCase, times } from "./fixtures/case.ts";
import { unknownBuyer } from "./fixtures/command-fixtures.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { refundFixtures } from "./fixtures/refund-fixtures.ts";
import { subscribed } from "./money/subscriptions.ts";

const day = 86_400_000;
const customer_id = "ana";
const customer_keys = ["hash", customer_id];
const buyer = { ...unknownBuyer, id: customer_id, email: "ana@example.com" };

/** Runs the chunks of an erasure from its beginning, at most `most` of them. */
async function erase(context: CaseContext, most = Number.POSITIVE_INFINITY) {
  const { storage, clock } = context;
  const { store_id } = fixtures(context).partition;
  const erasure: Erasure = { store_id, customer_id, customer_keys, now: clock.now() };
  let position: string | null = null;
  let chunks = 0;
  let foundAny = false;
  do {
    const result = await storage.privacy.eraseChunk(erasure, position);
    foundAny ||= result.found;
    position = result.next;
    chunks += 1;
  } while (position !== null && chunks < most);
  return { found: foundAny, ended: position === null };
}

/** Gives everything that the store shows of sessions, orders, replies and events, as text. */
async function shownBy(context: CaseContext, session_ids: readonly string[]): Promise<string> {
  const { storage, clock } = context;
  const { partition, scope } = fixtures(context);
  const shown: unknown[] = [
    await storage.orders.listOrders({ ...partition, limit: 1_000 }),
    await storage.orders.listSubscriptions({ ...partition, limit: 100 }),
    await storage.webhooks.listEvents({ ...partition, limit: 1_000 }),
    await storage.orders.listRefunds({ ...partition, limit: 100 }),
    await storage.lists.listDisputes({ ...partition, limit: 100 }),
    await storage.lists.listAttempts({ ...partition, limit: 100 }),
  ];
  for (const id of session_ids) {
    shown.push(await storage.checkout.findSession(partition, id));
    const lookup = { product_ids: [], coupon_code: null, customer_keys: [], now: clock.now() };
    shown.push(
      await storage.checkout.openCheckout({ ...scope(`key_${id}`), fingerprint: "f", ...lookup }),
    );
  }
  return JSON.stringify(shown);
}

/** Refunds a part of the newest order and disputes it, both for this reason. */
async function askBack(context: CaseContext, reason: string): Promise<void> {
  const { storage, clock } = context;
  const { partition, orderIds } = fixtures(context);
  const { refund } = refundFixtures(context);
  const listed = await storage.orders.listOrders({ ...partition, limit: 1 });
  const [order] = listed.outcome === "listed" ? listed.orders : [];
  if (!order) throw new Error("There is no order.");

  const asked = refund(order, { reference: "r_1", amount: 10 });
  await reserveRefund(storage.orders, {
    ...asked,
    refund: { ...asked.refund, reason },
    moved_by_host: true,
  });
  await openDispute(storage.orders, {
    ...partition,
    order_id: order.id,
    money: null,
    dispute: { id: "dp_1", amount: 10, reason, due_by: null },
    inquiry: false,
    ids: orderIds(),
    now: clock.now(),
  });
}

/** Checks the erasure of a customer, the end of the test data, and old sessions. */
export const privacyCases: readonly StorageCase[] = [
  {
    name: "an erasure that was cut off after any chunk is finished by a new run",
    async run(context) {
      const { storage, assert } = context;
      const { shop, session, openSession, submission, completion, scope, reply } =
        fixtures(context);
      await shop();

      const paid = await times(3, () => openSession({ email: "ana@example.com" }));
      for (const opened of paid)
        await completeSession(storage.orders, completion(opened, { buyer }));
      await askBack(context, "ana");
      const about = {
        metadata: { about: "ana" },
        success_url: "https://a.example.com/ok?ana",
        cancel_url: "https://a.example.com/ok?ana",
        lines: session().lines.map((line) => ({ ...line, variables: { nick: "ana" } })),
      };
      const pending = await openSession({ customer_id, email: "ana@example.com", ...about });
      const submitted = submission(pending);
      const attempt = submitted.attempt && { ...submitted.attempt, consent: "ana" };
      await submitSession(storage.orders, { ...submitted, attempt });
      const bare = session({ customer_id, email: "ana@example.com", ...about });
      await createSession(storage.checkout, scope(`key_${bare.id}`), {
        session: bare,
        reply: reply(bare),
        lock_token: null,
      });
      const other = await openSession({ email: "bia@example.com" });
      await completeSession(storage.orders, completion(other));

      // Each run is cut off one chunk later than the one before, until one comes to the end.
      let most = 1;
      for (let run = await erase(context, most); !run.ended; run = await erase(context, most))
        most += 1;

      const ids = [...paid, pending, bare, other].map(({ id }) => id);
      const shown = await shownBy(context, ids);
      assert.ok(!/ana/.test(shown), shown);
      assert.ok(shown.includes("bia@example.com"));
      assert.equal(shown.split(`"id":"${erasedCustomerId}"`).length > 4, true);
      assert.deepEqual(await erase(context), { found: false, ended: true });
    },
  },
  {
    name: "an erasure reaches the events behind 270 others of the store and mode",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);
      await shop();

      // Each order writes three events. SQL storages look through 250 at once.
      await times(90, async () => completeSession(storage.orders, completion(await openSession())));
      assert.equal((await events()).length, 270);
      const ofAna = await openSession({ email: buyer.email });
      await completeSession(storage.orders, completion(ofAna, { buyer }));
      assert.ok((await shownBy(context, [])).includes(buyer.email));

      assert.deepEqual(await erase(context), { found: true, ended: true });
      assert.ok(!(await shownBy(context, [ofAna.id])).includes(buyer.email));
    },
  },
  {
    name: "an erased customer's tokens are revoked, under the first of their keys alone",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition, scope } = fixtures(context);
      await shop();
      const look = (keys: readonly string[]) =>
        storage.checkout.openCheckout({
          ...scope("k"),
          fingerprint: "f",
          product_ids: [],
          coupon_code: null,
          customer_keys: keys,
          now: clock.now(),
        });
      const later = clock.now() + 5_000;
      await storage.orders.revokeCustomerTokens({
        ...partition,
        customer_keys: [customer_id],
        not_before: later,
        customer_id,
      });
      assert.equal((await look(customer_keys)).customer_erased, false);

      await erase(context);
      const { not_before, customer_erased } = await look(["hash"]);
      assert.deepEqual([not_before, customer_erased], [clock.now() + 5_000, true]);
      assert.equal((await look([customer_id])).not_before, null);
      assert.equal(await storage.privacy.isErased(partition, customer_keys), true);
      assert.equal(await storage.privacy.isErased(partition, ["other"]), false);
      const mine = await storage.orders.listCustomerOrders({
        ...partition,
        customer_id,
        customer_keys,
        token_issued_at: clock.now(),
        limit: 1,
      });
      assert.equal(mine.outcome, "token_revoked");
    },
  },
  {
    name: "the test data is wiped beside renewals: nothing is left of them",
    async run(context) {
      const { storage, assert } = context;
      const { partition, events } = fixtures(context);
      const renewals: Renewal[] = [];
      for (let count = 0; count < 8; count += 1)
        renewals.push((await subscribed(context)).renewal({ reference: `r_${count}` }));

      const [, ...renewed] = await Promise.all([
        wipeInChunks(storage, partition.store_id),
        ...renewals.map((renewal) => renew(storage.orders, renewal)),
      ]);
      assert.ok(
        renewed.every(({ outcome }) => ["renewed", "unknown_subscription"].includes(outcome)),
      );
      assert.deepEqual(await events(), []);
      for (const { subscription_id, attempt_id, ids } of renewals) {
        assert.equal(await storage.orders.find("subscription", partition, subscription_id), null);
        assert.equal(await storage.orders.find("attempt", partition, attempt_id), null);
        assert.equal(await storage.orders.find("order", partition, ids.order), null);
        assert.deepEqual(await storage.orders.listPayments(partition, ids.order), []);
      }
    },
  },
  {
    name: "a session without an order is deleted 30 days after its end; others stay",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);
      await shop();

      const bare = await openSession();
      const failed = await openSession();
      await applyPayment(storage.orders, result(await start(failed), "failed"));
      const pending = await openSession();
      await submitSession(storage.orders, submission(pending));
      const isThere = async ({ id }: { readonly id: string }) =>
        (await storage.checkout.findSession(partition, id)) !== null;

      clock.advance(bare.expires_at - clock.now() + 30 * day - 1);
      await storage.purge(clock.now(), 100);
      assert.equal(await isThere(bare), true);
      clock.advance(1);
      const part = { now: clock.now(), limit: 100 };
      while ((await storage.stats.count("sessions", part)) > 0);
      await storage.purge(clock.now(), 100);
      assert.deepEqual(
        [await isThere(bare), await isThere(failed), await isThere(pending)],
        [false, true, true],
      );
    },
  },
];
