import { type StorageCase, times } from "../fixtures/case.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { engine, hour, minute, refuse } from "../fixtures/webhook-fixtures.ts";

const waits = [0, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];

/** Checks the attempts of the real engine: their schedule, lost leases, and what is logged. */
export const webhookAttemptCases: readonly StorageCase[] = [
  {
    name: "a delivery is exhausted after seven attempts by the schedule",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      const takes = 7_000;
      shop.receiver.answer = () => {
        clock.advance(takes);
        return refuse;
      };
      await shop.endpoint("we_1");
      await shop.sell();
      for (const [index, wait] of waits.entries()) {
        if (wait > 0) {
          clock.advance(wait - 1);
          assert.equal((await shop.drain()).attempted, 0);
          clock.advance(1);
        }
        const report = await shop.drain();
        const next = waits[index + 1];
        assert.equal(report.attempted, 1);
        assert.equal(
          report.next_due_at,
          next === undefined ? null : new Date(clock.now() + next).toISOString(),
        );
      }

      const [row] = await shop.rows();
      assert.deepEqual([row?.state, row?.attempts], ["exhausted", 7]);

      const logs = await storage.webhooks.listAttempts({
        ...partition,
        endpoint_id: "we_1",
        event_id: row?.event_id ?? "",
      });
      assert.deepEqual(
        logs.map(({ attempt, status, error }) => [attempt, status, error]),
        [1, 2, 3, 4, 5, 6, 7].map((attempt) => [attempt, 500, "http_status"]),
      );
      assert.deepEqual(
        shop.posts.map((post) => post.headers["X-Service-Attempt"]),
        ["1", "2", "3", "4", "5", "6", "7"],
      );
    },
  },
  {
    name: "a worker that returns after its lease records a late success and nothing else",
    async run(context) {
      const { clock, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell(2);
      let wakes: (() => void)[] = [];
      const asleep = new Promise<void>((reached) => {
        shop.receiver.answer = (post) =>
          new Promise((answer) => {
            const taken = wakes.length === 0;
            wakes.push(() => answer(taken ? {} : refuse));
            if (wakes.length === 2) reached();
            void post;
          });
      });
      const paused = shop.drain({ maxDurationMs: 600_000 });
      await asleep;
      clock.advance(90_000);
      shop.receiver.answer = () => refuse;
      assert.equal((await shop.drain()).rescheduled, 2);

      for (const wake of wakes) wake();
      wakes = [];
      const report = await paused;
      assert.deepEqual([report.delivered, report.lease_lost], [1, 1]);
      assert.deepEqual([...(await shop.states())].sort(), ["delivered", "pending"]);
      assert.deepEqual((await shop.rows()).map(({ attempts }) => attempts).sort(), [1, 2]);
    },
  },
  {
    name: "five abandoned leases in a row count as one failed attempt, worker_lost",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell();
      for (let turn = 0; turn < 5; turn += 1) {
        const { deliveries } = await storage.webhooks.claimDeliveries({
          now: clock.now(),
          lease_until: clock.now() + 60_000,
          lease_token: `gone_${turn}`,
          limit: 100,
          per_endpoint: 4,
          quota_by_endpoint: {},
          after_endpoint: null,
        });
        assert.deepEqual(
          deliveries.map(({ attempts, lost_leases }) => [attempts, lost_leases]),
          [[0, turn]],
        );
        clock.advance(60_000);
      }

      const report = await shop.drain();
      assert.deepEqual([shop.posts.length, report.rescheduled], [0, 1]);

      const [row] = await shop.rows();
      assert.deepEqual(
        [row?.state, row?.attempts, row?.due_at],
        ["pending", 1, clock.now() + minute],
      );

      const logs = await storage.webhooks.listAttempts({
        ...partition,
        endpoint_id: "we_1",
        event_id: row?.event_id ?? "",
      });
      assert.deepEqual(
        logs.map(({ error }) => error),
        ["worker_lost"],
      );

      clock.advance(minute);
      assert.equal((await shop.drain()).delivered, 1);
    },
  },
  {
    name: "invalid text and numbers of a transport are repaired and logged",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      shop.receiver.answer = () => ({
        ...refuse,
        snippet: `a\u0000b\ud800${"é".repeat(2_000)}`,
        duration_ms: Number.NaN,
        status: 500.4,
      });
      await shop.endpoint("we_1");
      await shop.sell();
      assert.equal((await shop.drain()).rescheduled, 1);

      const [row] = await shop.rows();
      const [log] = await storage.webhooks.listAttempts({
        ...partition,
        endpoint_id: "we_1",
        event_id: row?.event_id ?? "",
      });
      assert.deepEqual(
        [log?.status, log?.duration_ms, log?.snippet?.slice(0, 6)],
        [500, 0, "a\ufffdb\ufffdéé"],
      );
      assert.deepEqual(shop.errors, []);
    },
  },
  {
    name: "four concurrent workers send each delivery once",
    async run(context) {
      const { assert } = context;
      const shop = await engine(context);

      for (let turn = 0; turn < 5; turn += 1) await shop.endpoint(`we_${turn}`);
      await shop.sell(12);
      const reports = await times(4, () => shop.drain());
      assert.equal(
        reports.reduce((sum, { delivered }) => sum + delivered, 0),
        60,
      );

      const sent = shop.posts.map((post) => `${post.url} ${post.headers["X-Service-Event-Id"]}`);
      assert.deepEqual([sent.length, new Set(sent).size], [60, 60]);
      assert.ok(reports.every(({ stopped_by }) => stopped_by === "idle"));
      assert.deepEqual(shop.errors, []);
    },
  },
];
