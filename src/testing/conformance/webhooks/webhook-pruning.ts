import { completeSession } from "../../../steps/checkout-steps.ts";
import { createSession } from "../../../steps/key-steps.ts";
import { deleteRecord } from "../../../steps/record-steps.ts";
import { resendDelivery } from "../../../steps/webhooks/delivery-steps.ts";
import { wipeInChunks } from "../../../steps/wipe-test-data.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { day, engine } from "../fixtures/webhook-fixtures.ts";

/** Checks what the storage forgets of events and deliveries: old ones, and those of test mode. */
export const webhookPruningCases: readonly StorageCase[] = [
  {
    name: "pruning deletes old bodies and attempts in chunks and keeps pending deliveries",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell(3); // This writes nine events and three deliveries.
      await shop.drain({ maxDeliveries: 2 });
      const prune = (limit = 100) =>
        storage.webhooks.prune({
          before: clock.now() - 30 * day,
          forget_before: clock.now() - 400 * day,
          limit,
        });
      const list = (after?: string) =>
        storage.webhooks.listEvents({ ...partition, limit: 100, ...(after && { after }) });
      const all = await list();
      const ids = all.outcome === "listed" ? all.events.map(({ id }) => id) : [];
      const numbers = async (after?: string) => {
        const page = await list(after);
        return page.outcome === "listed"
          ? page.events.map(({ sequence }) => sequence)
          : page.outcome;
      };
      assert.deepEqual(await prune(), { events: 0, attempts: 0, forgotten: 0 });

      clock.advance(30 * day + 1);
      assert.deepEqual(await prune(4), { events: 4, attempts: 2, forgotten: 0 });
      assert.deepEqual(await prune(4), { events: 3, attempts: 0, forgotten: 0 });
      assert.deepEqual(await prune(4), { events: 0, attempts: 0, forgotten: 0 });

      const [pending] = await shop.rows({ state: "pending" });
      const kept = await numbers();
      assert.deepEqual(kept, [ids.indexOf(pending?.event_id ?? "") + 1, 9]);
      assert.equal(await numbers(ids[0]), "cursor_expired");
      assert.deepEqual(await numbers(ids[7]), [9]);
      assert.deepEqual(await numbers(ids[8]), []);
      assert.equal((await shop.drain()).delivered, 1, "what is pending is whole");

      const { event_id } = (await shop.rows({ state: "delivered" })).find(
        (row) => row.event_id !== pending?.event_id,
      ) ?? { event_id: "" };
      assert.equal(
        (
          await resendDelivery(
            storage.records,
            partition,
            { endpoint_id: "we_1", event_id },
            clock.now(),
          )
        ).outcome,
        "event_pruned",
      );

      const recovery = {
        ...partition,
        endpoint_id: "we_1",
        since: 0,
        until: clock.now(),
        states: ["delivered"] as const,
        before: null,
      };
      assert.equal(
        (await storage.webhooks.recoverDeliveries({ ...recovery, limit: 10, now: clock.now() }))
          .recovered,
        1,
      );

      await shop.drain();
      clock.advance(370 * day);
      await shop.sell();
      const late = await prune();
      assert.equal(late.forgotten, 9);
      assert.equal(await numbers(ids[0]), "unknown_cursor");
      assert.deepEqual(await numbers(), [10, 11, 12]);
    },
  },
  {
    name: "a wipe of test data deletes a deleted endpoint's attempts too, and none of live mode",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);
      const live = { ...partition, livemode: true };
      const send = async () => {
        const session = shop.session();
        await createSession(
          storage.checkout,
          { ...shop.scope(session.id), livemode: true },
          {
            session: { ...session, livemode: true },
            reply: shop.reply(session),
            lock_token: null,
          },
        );
        await completeSession(storage.orders, { ...shop.completion(session), livemode: true });
      };

      await shop.endpoint("we_kept");
      await shop.endpoint("we_gone");
      await shop.endpoint("we_live", { livemode: true });
      await shop.sell();
      await send();
      assert.equal((await shop.drain()).delivered, 3);
      const sent = [...(await shop.rows()), ...(await shop.rows(live))];
      const logged = () => Promise.all(sent.map((row) => storage.webhooks.listAttempts(row)));
      const names = sent.map(({ endpoint_id }) => endpoint_id);
      assert.deepEqual([...names].sort(), ["we_gone", "we_kept", "we_live"]);
      assert.deepEqual(
        (await logged()).map(({ length }) => length),
        [1, 1, 1],
      );

      await deleteRecord(storage.records, "endpoint", { ...partition, id: "we_gone" });
      await wipeInChunks(storage, partition.store_id);
      const left = (await logged()).flat();
      assert.deepEqual(
        left.map(({ endpoint_id }) => endpoint_id),
        ["we_live"],
      );
    },
  },
];
