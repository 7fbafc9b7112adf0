import { resendDelivery } from "../../../steps/webhooks/delivery-steps.ts";
import { createEndpoint, updateEndpoint } from "../../../steps/webhooks/endpoint-steps.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { claimer, endpointRecord, sell } from "../fixtures/delivery-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { engine, hour, minute, refuse } from "../fixtures/webhook-fixtures.ts";

/** Checks the deliveries of an event: they are written with it, listed, resent and recovered. */
export const webhookDeliveryCases: readonly StorageCase[] = [
  {
    name: "an event is written with its deliveries, by type, state and mode of the endpoints",
    async run(context) {
      const { storage, assert } = context;

      await fixtures(context).shop();
      await createEndpoint(storage.records, endpointRecord("we_all"), 50);
      await createEndpoint(
        storage.records,
        endpointRecord("we_paid", { event_types: ["order.paid"] }),
        50,
      );
      await createEndpoint(
        storage.records,
        endpointRecord("we_off", { event_types: ["order.paid"], state: "disabled" }),
        50,
      );
      await createEndpoint(storage.records, endpointRecord("we_live", { livemode: true }), 50);
      await sell(context, 1);
      const rows = await storage.webhooks.listDeliveries({
        store_id: "str_A",
        livemode: false,
        limit: 100,
      });
      const shown = rows.map((row) => `${row.endpoint_id} ${row.event_type} ${row.state}`).sort();
      assert.deepEqual(shown, [
        "we_all checkout.session.completed pending",
        "we_all order.created pending",
        "we_all order.paid pending",
        "we_off order.paid skipped",
        "we_paid order.paid pending",
      ]);

      const live = { store_id: "str_A", livemode: true, limit: 100 };
      assert.deepEqual(await storage.webhooks.listDeliveries(live), []);
    },
  },
  {
    name: "an agent's endpoint gets the paid orders that name the agent, and no other event",
    async run(context) {
      const { storage, assert } = context;
      const agentOf = (name: string) => ({
        protocol: "ucp" as const,
        name,
        endpoint: "https://we_1.example.com/",
        success_url: "https://we_1.example.com/",
      });

      await fixtures(context).shop();
      // Signs that JSON or a pattern would escape are taken as they are.
      const name = '"%_\\order.paid';
      for (const [id, agent] of [
        ["we_agent", agentOf(name)],
        ["we_other", agentOf("we_other")],
        ["we_acp", { ...agentOf(name), protocol: "acp" as const }],
      ] as const)
        await createEndpoint(storage.records, endpointRecord(id, { agent }), 50);
      await sell(context, 1);
      await sell(context, 1, { metadata: { ucp_agent: name } });
      const found = await storage.webhooks.listDeliveries({ ...partition, limit: 100 });
      const shown = found.map((row) => `${row.endpoint_id} ${row.event_type} ${row.state}`);
      assert.deepEqual(shown, ["we_agent order.paid pending"]);

      const [claimed] = await claimer(context)("lease");
      assert.deepEqual([claimed?.endpoint_id, claimed?.agent], ["we_agent", agentOf(name)]);
      const [destination] = await storage.webhooks.findDestinations(["we_agent"]);
      assert.deepEqual(destination?.agent, agentOf(name));
    },
  },
  {
    name: "deliveries are listed newest first, and each once",
    async run(context) {
      const { assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1", { event_types: null });
      await shop.endpoint("we_2", { event_types: null });
      await shop.sell(3);
      context.clock.advance(5);
      await shop.sell(2);
      const seen: string[] = [];
      for (let before: Awaited<ReturnType<typeof shop.rows>>[number] | undefined; ; ) {
        const page = await shop.rows({ limit: 7, ...(before && { before }) });
        seen.push(...page.map(({ endpoint_id, event_id }) => `${event_id} ${endpoint_id}`));
        if (page.length < 7) break;
        before = page.at(-1);
      }
      assert.deepEqual([seen.length, new Set(seen).size], [30, 30]);
      assert.deepEqual(
        (await shop.rows()).map(({ endpoint_id, event_id }) => `${event_id} ${endpoint_id}`),
        seen,
      );
    },
  },
  {
    name: "a resend is one attempt outside the schedule, whatever the delivery's state",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell();
      await shop.drain();
      const [row] = await shop.rows();
      const key = { endpoint_id: "we_1", event_id: row?.event_id ?? "" };
      const resend = async () =>
        (await resendDelivery(storage.records, partition, key, clock.now())).outcome;
      const now = async () => (await shop.rows()).map(({ state, attempts }) => [state, attempts]);
      shop.receiver.answer = () => refuse;
      assert.equal(await resend(), "queued");
      assert.equal((await shop.drain()).exhausted, 1);
      assert.deepEqual(await now(), [["delivered", 2]]);

      shop.receiver.answer = () => ({});
      await resend();
      await resend();
      assert.equal((await shop.drain()).delivered, 1);
      assert.deepEqual(await now(), [["delivered", 3]]);

      shop.receiver.answer = () => refuse;
      await shop.sell();
      await shop.drain();
      const [waiting] = await shop.rows({ state: "pending" });
      const other = { endpoint_id: "we_1", event_id: waiting?.event_id ?? "" };
      // The lease of the resend shall end at another time than the wait of the schedule.
      clock.advance(5);
      await resendDelivery(storage.records, partition, other, clock.now());
      assert.equal((await shop.drain()).rescheduled, 1);
      assert.equal(
        (await shop.rows({ state: "pending" }))[0]?.due_at,
        waiting?.due_at,
        "the schedule goes on as it was",
      );

      for (const wait of [1, 5, 30, 120, 360, 1_440]) {
        clock.advance(wait * minute);
        await shop.drain();
      }
      assert.deepEqual(
        (await shop.rows({ state: "exhausted" })).map(({ attempts }) => attempts),
        [8],
      );
      assert.equal(
        (
          await resendDelivery(
            storage.records,
            { ...partition, livemode: true },
            other,
            clock.now(),
          )
        ).outcome,
        "unknown",
      );
      assert.equal(
        (
          await resendDelivery(
            storage.records,
            partition,
            { ...other, event_id: "evt_x" },
            clock.now(),
          )
        ).outcome,
        "unknown",
      );

      await updateEndpoint(storage.records, { ...partition, id: "we_1" }, { state: "disabled" });
      assert.equal(
        (await resendDelivery(storage.records, partition, other, clock.now())).outcome,
        "endpoint_disabled",
      );
    },
  },
  {
    name: "a delivery that is sent again is what it was when its endpoint is disabled meanwhile",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell(2);
      await shop.drain();
      const [first, second] = await shop.rows();
      clock.advance(hour);
      await shop.sell();
      const [waiting] = await shop.rows({ state: "pending" });
      for (const row of [first, waiting, second]) {
        const key = { endpoint_id: "we_1", event_id: row?.event_id ?? "" };
        const sent = await resendDelivery(storage.records, partition, key, clock.now());
        assert.equal(sent.outcome, "queued");
      }
      await updateEndpoint(storage.records, { ...partition, id: "we_1" }, { state: "disabled" });
      await shop.drain();

      const states = new Map((await shop.rows()).map(({ event_id, ...row }) => [event_id, row]));
      const stateOf = (row = first) => {
        const { state, attempts, due_at } = states.get(row?.event_id ?? "") ?? {};
        return [state, attempts, due_at];
      };
      assert.deepEqual(stateOf(first), ["delivered", 1, first?.due_at]);
      assert.deepEqual(stateOf(second), ["delivered", 1, second?.due_at]);
      assert.deepEqual(stateOf(waiting), ["skipped", 0, waiting?.due_at]);
    },
  },
  {
    name: "a recovery restarts the final deliveries of a time range, in chunks",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.endpoint("we_2");
      await shop.sell(2);
      await shop.drain();
      clock.advance(hour);
      await updateEndpoint(storage.records, { ...partition, id: "we_1" }, { state: "disabled" });
      const since = clock.now();
      await shop.sell(5);
      clock.advance(hour);
      await shop.sell(1);
      await updateEndpoint(storage.records, { ...partition, id: "we_1" }, { state: "enabled" });
      const range = {
        ...partition,
        endpoint_id: "we_1",
        since,
        until: since,
        states: ["skipped", "exhausted"] as const,
        now: clock.now(),
      };
      const first = await storage.webhooks.recoverDeliveries({ ...range, before: null, limit: 3 });
      assert.equal(first.recovered, 3);
      assert.ok(first.before);
      assert.deepEqual(
        await storage.webhooks.recoverDeliveries({ ...range, before: first.before, limit: 3 }),
        {
          recovered: 2,
          before: null,
        },
      );
      assert.deepEqual([...(await shop.states({ endpoint_id: "we_1" }))].sort(), [
        "delivered",
        "delivered",
        "pending",
        "pending",
        "pending",
        "pending",
        "pending",
        "skipped",
      ]);
      assert.equal((await shop.drain()).delivered, 5 + 6);

      const all = {
        ...range,
        since: 0,
        until: clock.now(),
        states: ["delivered"] as const,
        before: null,
        limit: 100,
      };
      assert.equal((await storage.webhooks.recoverDeliveries(all)).recovered, 7);
    },
  },
];
