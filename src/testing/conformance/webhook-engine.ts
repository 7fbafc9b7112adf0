import { verifyWebhook } from "../../webhooks/verify.ts";
import { type StorageCase, times } from "./case.ts";
import { engine, hour, minute, partition, refuse } from "./webhook-fixtures.ts";

const waits = [0, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];

/** The engine's rules as they depend on storage (CONTRACT 7), on a virtual clock. */
export const webhookEngineCases: readonly StorageCase[] = [
  {
    name: "seven attempts at 0, 1 m, 5 m, 30 m, 2 h, 6 h, 24 h after each end, then exhausted",
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
    name: "a worker that comes back after its lease records a late success and nothing else",
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
    name: "an abandoned lease uses up no attempt; five in a row are one failed attempt, worker_lost",
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
    name: "whatever a transport answers is written down: text that is none, numbers that are none",
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
    name: "four workers at once send each delivery once",
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
  {
    name: "a claim takes of each endpoint what it has room for, goes on where it stopped and says when it saw everything",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.sell(0);
      for (const id of ["we_1", "we_2", "we_3"]) await shop.endpoint(id);
      await shop.sell(6);
      const claim = (changes: object) =>
        storage.webhooks.claimDeliveries({
          now: clock.now(),
          lease_until: clock.now() + 60_000,
          lease_token: "t",
          limit: 100,
          per_endpoint: 2,
          quota_by_endpoint: {},
          after_endpoint: null,
          ...changes,
        });
      const count = (rows: readonly { endpoint_id: string }[]) =>
        ["we_1", "we_2", "we_3"].map(
          (id) => rows.filter(({ endpoint_id }) => endpoint_id === id).length,
        );
      const first = await claim({ limit: 3 });
      assert.deepEqual(
        [count(first.deliveries), first.complete, first.after_endpoint],
        [[2, 1, 0], false, "we_2"],
      );
      const second = await claim({ limit: 3, after_endpoint: first.after_endpoint });
      assert.deepEqual([count(second.deliveries), second.complete], [[1, 0, 2], false]);
      const third = await claim({
        after_endpoint: second.after_endpoint,
        quota_by_endpoint: { we_1: 0, we_2: 100 },
      });
      assert.deepEqual([count(third.deliveries), third.complete], [[0, 5, 2], true]);
      assert.equal(
        third.deliveries.every(({ body }) => body.includes('"order.paid"')),
        true,
      );
    },
  },
  {
    name: "rotation: both secrets sign until the overlap ends, the newest first, never more than three",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);
      await shop.endpoint("we_1");
      const rotate = async (secret: string, overlap: number) =>
        storage.webhooks.rotateSecret(partition, "we_1", {
          sealed: await shop.seal(secret, "we_1"),
          old_until: clock.now() + overlap,
          max: 3,
          now: clock.now(),
        });
      const accepts = async (secret: string): Promise<boolean> => {
        await shop.sell();
        await shop.drain();
        const post = shop.posts.at(-1);
        const header = post?.headers["X-Service-Signature"];
        return (
          await verifyWebhook({
            rawBody: post?.body as string,
            header,
            secret,
            now: Math.floor(clock.now() / 1_000),
          })
        ).ok;
      };
      await rotate("whsec_new", hour);
      assert.deepEqual([await accepts("whsec_we_1"), await accepts("whsec_new")], [true, true]);
      clock.advance(hour);
      assert.deepEqual([await accepts("whsec_we_1"), await accepts("whsec_new")], [false, true]);
      await rotate("whsec_b", hour);
      await rotate("whsec_c", hour);
      const last = await rotate("whsec_d", hour);
      assert.equal(last?.secrets.length, 3);
      assert.deepEqual(
        [await accepts("whsec_new"), await accepts("whsec_b"), await accepts("whsec_d")],
        [false, true, true],
      );
      assert.equal(shop.posts.at(-1)?.headers["X-Service-Signature"]?.split("v1=").length, 4);
      await rotate("whsec_e", 0);
      assert.deepEqual([await accepts("whsec_d"), await accepts("whsec_e")], [false, true]);
      const sealed = await shop.seal("whsec_f", "we_1");
      const same = { sealed, old_until: clock.now() + hour, max: 3, now: clock.now() };
      await storage.webhooks.rotateSecret(partition, "we_1", same);
      assert.equal(
        (await storage.webhooks.rotateSecret(partition, "we_1", same))?.secrets.length,
        2,
      );
    },
  },
];
