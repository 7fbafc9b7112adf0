import { type StorageCase, times } from "./case.ts";
import { day, engine, hour, minute, partition, refuse } from "./webhook-fixtures.ts";

/** The life of an endpoint and of what is kept about it (CONTRACT 7). */
export const webhookEndpointCases: readonly StorageCase[] = [
  {
    name: "three days without a success, twenty attempts and two events disable an endpoint: once among four workers, with one notice",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell(3);
      let disabled = 0;
      for (let hours = 0; hours < 80; hours += 1) {
        const reports = await times(4, () =>
          shop.drain({}, { scheduleMs: Array.from({ length: 90 }, () => hour) }),
        );
        disabled += reports.reduce((sum, report) => sum + report.endpoints_disabled, 0);
        if (hours < 72) assert.equal(disabled, 0, `after ${hours} hours`);
        clock.advance(hour);
      }
      assert.equal(disabled, 1);
      const endpoint = await storage.webhooks.findEndpoint(partition, "we_1");
      assert.deepEqual([endpoint?.state, endpoint?.disabled_reason], ["disabled", "failing"]);
      assert.deepEqual(
        shop.told.map(({ type, subject }) => [type, subject]),
        [
          ["endpoint_failing", "we_1"],
          ["endpoint_disabled", "we_1"],
        ],
      );
      assert.deepEqual(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).map(
          ({ type }) => type,
        ),
        ["endpoint_disabled", "endpoint_failing"],
      );
      assert.deepEqual(await shop.states(), ["skipped", "skipped", "skipped"]);
    },
  },
  {
    name: "neither one bad event nor few attempts nor a success in between disable an endpoint",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      const hourly = { scheduleMs: Array.from({ length: 200 }, () => hour) };
      const enabled = async () =>
        (await storage.webhooks.findEndpoint(partition, "we_1"))?.state === "enabled";
      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell();
      for (let hours = 0; hours < 80; hours += 1) {
        await shop.drain({}, hourly);
        clock.advance(hour);
      }
      assert.ok(await enabled(), "one event alone");
      shop.receiver.answer = () => ({});
      await shop.drain({}, hourly);
      shop.receiver.answer = () => refuse;
      await shop.sell(2);
      for (let days = 0; days < 5; days += 1) {
        await shop.drain({}, { scheduleMs: Array.from({ length: 9 }, () => day) });
        clock.advance(day);
      }
      assert.ok(await enabled(), "ten attempts");
    },
  },
  {
    name: "a notice is given until it is taken, and an owner's enabling begins anew",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell(2);
      const hourly = Array.from({ length: 90 }, () => hour);
      let refused = 0;
      const deaf = {
        scheduleMs: hourly,
        tellAlert: async () => {
          refused += 1;
          throw new Error("the owner's mailbox is full");
        },
      };
      for (let hours = 0; hours < 26; hours += 1) {
        await shop.drain({}, deaf);
        clock.advance(hour);
      }
      assert.ok(refused >= 1);
      await shop.drain({}, { scheduleMs: hourly });
      await shop.drain({}, { scheduleMs: hourly });
      assert.deepEqual(
        shop.told.map(({ type }) => type),
        ["endpoint_failing"],
      );
      await storage.webhooks.updateEndpoint(
        partition,
        "we_1",
        { state: "disabled", disabled_reason: "owner" },
        clock.now(),
      );
      await storage.webhooks.updateEndpoint(
        partition,
        "we_1",
        { state: "enabled", disabled_reason: null },
        clock.now(),
      );
      for (let hours = 0; hours < 60; hours += 1) {
        await shop.drain({}, { scheduleMs: hourly });
        clock.advance(hour);
      }
      assert.equal((await storage.webhooks.findEndpoint(partition, "we_1"))?.state, "enabled");
    },
  },
  {
    name: "disabling stops the claim at once, its pending deliveries become skipped in chunks and by the claim",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.endpoint("we_1");
      await shop.endpoint("we_2");
      await shop.sell(5);
      await storage.webhooks.updateEndpoint(
        partition,
        "we_1",
        { state: "disabled", disabled_reason: "owner" },
        clock.now(),
      );
      assert.equal(await storage.webhooks.skipDeliveries("str_A", "we_1", 3, clock.now()), 3);
      assert.equal(await storage.webhooks.skipDeliveries("str_A", "we_2", 3, clock.now()), 0);
      await storage.webhooks.deleteEndpoint(partition, "we_2", clock.now());
      assert.deepEqual([(await shop.drain()).attempted, shop.posts.length], [0, 0]);
      assert.equal(
        (await shop.states()).every((state) => state === "skipped"),
        true,
      );
    },
  },
  {
    name: "a resend is one send outside the schedule: of a delivered one, of an exhausted one, of one that waits",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.endpoint("we_1");
      await shop.sell();
      await shop.drain();
      const [row] = await shop.rows();
      const key = { endpoint_id: "we_1", event_id: row?.event_id ?? "" };
      const resend = async () =>
        (await storage.webhooks.resendDelivery(partition, key, clock.now())).outcome;
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
      await storage.webhooks.resendDelivery(partition, other, clock.now());
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
          await storage.webhooks.resendDelivery(
            { ...partition, livemode: true },
            other,
            clock.now(),
          )
        ).outcome,
        "unknown",
      );
      assert.equal(
        (
          await storage.webhooks.resendDelivery(
            partition,
            { ...other, event_id: "evt_x" },
            clock.now(),
          )
        ).outcome,
        "unknown",
      );
      await storage.webhooks.updateEndpoint(partition, "we_1", { state: "disabled" }, clock.now());
      assert.equal(
        (await storage.webhooks.resendDelivery(partition, other, clock.now())).outcome,
        "endpoint_disabled",
      );
    },
  },
  {
    name: "recovering makes final deliveries of the time and states asked for pending, with a whole new schedule, chunk by chunk",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.endpoint("we_1");
      await shop.endpoint("we_2");
      await shop.sell(2);
      await shop.drain();
      clock.advance(hour);
      await storage.webhooks.updateEndpoint(partition, "we_1", { state: "disabled" }, clock.now());
      const since = clock.now();
      await shop.sell(5);
      clock.advance(hour);
      await shop.sell(1);
      await storage.webhooks.updateEndpoint(partition, "we_1", { state: "enabled" }, clock.now());
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
  {
    name: "deliveries are listed newest first, page by page, each once",
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
    name: "pruning takes old bytes and attempts in chunks, never of a pending delivery nor the newest event; cursors go on or expire",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.endpoint("we_1");
      await shop.sell(3); // nine events, three deliveries
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
          await storage.webhooks.resendDelivery(
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
];
