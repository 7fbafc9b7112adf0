import type { SessionWithOrder } from "../../rules/checkout/checkout-records.ts";
import type { EventRecord } from "../../rules/records.ts";
import { applyPayment, completeSession } from "../../steps/checkout-steps.ts";
import { acknowledgeAlert, putRecord } from "../../steps/record-steps.ts";
import { createStore } from "../../steps/store-steps.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { everySecond, readByTwos, seenElsewhere } from "./fixtures/list-fixtures.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { partition } from "./fixtures/record-fixtures.ts";
import { engine, hour, refuse } from "./fixtures/webhook-fixtures.ts";

const nothing = [[], []];

/** Checks sessions, events, coupon uses, products, alerts and endpoints as an owner lists them. */
export const ownerListCases: readonly StorageCase[] = [
  {
    name: "sessions are listed newest first with their orders, by status and time",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, completion } = fixtures(context);

      await shop();
      const began = clock.now();
      const sessions = await everySecond(context, 5, (index) =>
        openSession({ expires_at: clock.now() + (index === 1 ? 2_000 : 1_800_000) }),
      );
      const [first, expired, third, complete, last] = sessions.map(({ id }) => id);
      const paid = sessions[3];
      if (paid) await completeSession(storage.orders, completion(paid));

      const query = { ...partition, now: clock.now() };
      const listed = await readByTwos<SessionWithOrder, string>(
        (page) => storage.lists.listSessions({ ...query, ...page }),
        ({ session }) => session.id,
      );
      assert.deepEqual(
        listed.map(({ session, order }) => [session.id, order?.number ?? null]),
        [
          [last, null],
          [complete, 1],
          [third, null],
          [expired, null],
          [first, null],
        ],
      );

      const ids = async (filters: object) =>
        (await storage.lists.listSessions({ ...query, limit: 10, ...filters })).map(
          ({ session }) => session.id,
        );
      assert.deepEqual(await ids({ status: "open" }), [last, third, first]);
      assert.deepEqual(await ids({ status: "complete" }), [complete]);
      assert.deepEqual(await ids({ status: "expired" }), [expired]);

      const range = { created_from: began + 2_000, created_to: began + 4_000 };
      assert.deepEqual(await ids(range), [third, expired]);
      assert.deepEqual(
        await seenElsewhere((other) =>
          storage.lists.listSessions({ ...query, ...other, limit: 10 }),
        ),
        nothing,
      );
    },
  },
  {
    name: "events are listed newest first, by type, order and time",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);

      await shop();
      const began = clock.now();
      const orders = await everySecond(context, 2, async () => {
        const paid = await completeSession(storage.orders, completion(await openSession()));
        return "order" in paid ? (paid.order?.id ?? "") : "";
      });

      const sequences = (await events()).map(({ sequence }) => sequence);
      const listed = await readByTwos<EventRecord, EventRecord>(
        (page) => storage.lists.listEvents({ ...partition, ...page }),
        (event) => event,
      );
      assert.deepEqual(
        listed.map(({ sequence }) => sequence),
        [...sequences].reverse(),
      );

      const read = (filters: object) =>
        storage.lists.listEvents({ ...partition, limit: 10, ...filters });
      const paid = await read({ type: "order.paid" });
      assert.deepEqual(
        paid.map(({ type }) => type),
        ["order.paid", "order.paid"],
      );
      assert.deepEqual(await read({ type: "order.chargeback" }), []);

      const ofFirst = await read({ order_id: orders[0] });
      assert.deepEqual(
        ofFirst.map(({ type }) => type),
        ["checkout.session.completed", "order.paid", "order.created"],
      );
      assert.deepEqual(
        (await read({ order_id: orders[0], type: "order.paid" })).map(({ id }) => id),
        [paid[1]?.id],
      );
      assert.deepEqual((await read({ created_to: began + 2_000 })).length, 3);
      assert.deepEqual((await read({ created_from: began + 2_000 })).length, 3);
      assert.deepEqual(
        await seenElsewhere((other) => storage.lists.listEvents({ ...other, limit: 10 })),
        nothing,
      );

      const [event] = paid;
      assert.deepEqual(await storage.lists.findEvent(partition, event?.id ?? ""), event);
      assert.equal(await storage.lists.findEvent(partition, "evt_none"), null);
      assert.equal(
        await storage.lists.findEvent({ ...partition, livemode: true }, event?.id ?? ""),
        null,
      );

      clock.advance(hour);
      const all = { before: clock.now(), forget_before: 0, limit: 100 };
      await storage.webhooks.prune(all);
      assert.deepEqual((await read({ type: "order.created" })).length, 2);
      assert.deepEqual(await read({ order_id: orders[0] }), []);
    },
  },
  {
    name: "the uses of a coupon are the orders that hold or have consumed one",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE"));
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const [paid, failed, pending] = await everySecond(context, 3, async () =>
        start(await openSession(discounted)),
      );
      await start(await openSession());
      if (!paid || !failed || !pending) throw new Error("No attempt was started.");
      await applyPayment(storage.orders, result(paid, "succeeded"));
      await applyPayment(storage.orders, result(failed, "failed"));

      const uses = await storage.lists.listCouponUses({
        ...partition,
        coupon_id: "CODE",
        limit: 10,
      });
      assert.deepEqual(
        uses.map(({ id, status }) => [id, status]),
        [
          [pending.order_id, "pending"],
          [paid.order_id, "paid"],
        ],
      );
      const behind = { ...partition, coupon_id: "CODE", after: uses[0]?.number ?? 0, limit: 10 };
      assert.deepEqual(
        (await storage.lists.listCouponUses(behind)).map(({ id }) => id),
        [paid.order_id],
      );

      const counted = await storage.lists.countCouponUses("str_A", ["CODE", "NONE"]);
      const used = counted.filter((count) => count.used > 0);
      assert.deepEqual(used, [{ coupon_id: "CODE", livemode: false, used: 2 }]);
      assert.deepEqual(
        await seenElsewhere((other) =>
          storage.lists.listCouponUses({ ...other, coupon_id: "CODE", limit: 10 }),
        ),
        nothing,
      );
    },
  },
  {
    name: "of twenty who acknowledge an alert at once, the first one is kept",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { store } = fixtures(context);

      await createStore(storage.records, store());
      const ids = await everySecond(context, 3, async (index) => {
        const alert = {
          ...partition,
          livemode: index === 2,
          id: newId("alr"),
          type: "t",
          subject: `s_${index}`,
          data: {},
          created_at: clock.now(),
        };
        await storage.access.raiseAlert(alert, 0);
        return alert.id;
      });
      const [first = "", second, live] = ids;
      const acknowledge = (by: string) =>
        acknowledgeAlert(
          storage.records,
          { store_id: "str_A", id: first },
          { by, now: clock.now() },
        );
      const answers = await times(20, (index) => acknowledge(`person_${index}`));
      assert.equal(new Set(answers.map((alert) => alert?.acknowledged_by)).size, 1);
      assert.equal(answers[0]?.acknowledged_at, clock.now());

      clock.advance(1_000);
      assert.deepEqual(await acknowledge("late"), answers[0]);
      const elsewhere = { by: "x", now: clock.now() };
      assert.equal(
        await acknowledgeAlert(storage.records, { store_id: "str_B", id: first }, elsewhere),
        null,
      );

      const listed = async (filters: object) => {
        const query = { before: null, limit: 10, ...filters };
        return (await storage.access.listAlerts("str_A", query)).map(({ id }) => id);
      };
      assert.deepEqual(await listed({}), [live, second, first]);
      assert.deepEqual(await listed({ acknowledged: false }), [live, second]);
      assert.deepEqual(await listed({ acknowledged: true }), [first]);
      assert.deepEqual(await listed({ livemode: false }), [second, first]);
      assert.deepEqual(await listed({ livemode: false, acknowledged: false }), [second]);
    },
  },
  {
    name: "the attempts to reach an endpoint are counted, the newest first up to a limit",
    async run(context) {
      const { storage, clock, assert } = context;
      const shop = await engine(context);

      const endpoint_id = await shop.endpoint("we_1");
      await shop.endpoint("we_2");
      shop.receiver.answer = ({ url }) => (url.includes("we-2") ? refuse : {});
      const began = clock.now();
      await shop.sell(2);
      await shop.drain();

      clock.advance(hour);
      shop.receiver.answer = () => refuse;
      await shop.sell();
      await shop.drain();

      const count = (since: number, limit = 10) =>
        storage.lists.countAttempts({ store_id: "str_A", endpoint_id, since, limit });
      const last = { last_accepted_at: began };
      assert.deepEqual(await count(began), { attempts: 3, accepted: 2, ...last });
      assert.deepEqual(await count(began + 1), { attempts: 1, accepted: 0, ...last });
      assert.deepEqual(await count(began, 2), { attempts: 2, accepted: 1, ...last });
      assert.deepEqual(await count(clock.now() + 1), { attempts: 0, accepted: 0, ...last });

      const range = { since: began, limit: 10 };
      const refused = { store_id: "str_A", endpoint_id: "we_2", ...range };
      assert.equal((await storage.lists.countAttempts(refused)).last_accepted_at, null);
      const foreign = { store_id: "str_B", endpoint_id, ...range };
      assert.equal((await storage.lists.countAttempts(foreign)).last_accepted_at, null);
    },
  },
];
