import { deleteRecord } from "../../../steps/record-steps.ts";
import { resendDelivery } from "../../../steps/webhooks/delivery-steps.ts";
import {
  createEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../../../steps/webhooks/endpoint-steps.ts";
import { verifyWebhook } from "../../../webhooks/verify.ts";
import type { CaseContext, StorageCase } from "../fixtures/case.ts";
import { endpointRecord } from "../fixtures/delivery-fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { engine, refuse } from "../fixtures/webhook-fixtures.ts";
import { spy, withMethods } from "../fixtures/webhook-spy.ts";

type Engine = Awaited<ReturnType<typeof engine>>;

/** Makes that many endpoints whose one delivery has failed and waits for its retry. */
async function failOnce({ storage }: CaseContext, shop: Engine, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const id = `we_${turn}`;
    const secrets = [{ sealed: await shop.seal("whsec_a", id), expires_at: null }];
    const record = endpointRecord(id, { event_types: ["order.paid"], secrets });
    await createEndpoint(storage.records, record, count);
  }
  shop.receiver.answer = () => refuse;
  await shop.sell();
  await shop.drain();
}

/**
 * Checks what a drain does with many endpoints, slow ones, and those that another
 * process changes.
 */
export const webhookDrainCases: readonly StorageCase[] = [
  {
    name: "a drain of 1,000 endpoints with retries pending and nothing due takes five claims",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      await failOnce(context, shop, 1_000);
      assert.equal(shop.posts.length, 1_000);

      const { store, claims } = spy(storage.webhooks);
      const report = await shop.drain({}, { store });
      assert.deepEqual([report.attempted, report.stopped_by, report.more], [0, "idle", false]);
      assert.ok(claims.length <= 5, `${claims.length} claims`);
    },
  },
  {
    name: "while a send hangs, claims that find nothing are made four times a second at most",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await failOnce(context, shop, 300);
      const [row] = await shop.rows({ endpoint_id: "we_7" });
      const key = { endpoint_id: "we_7", event_id: row?.event_id ?? "" };
      await resendDelivery(storage.records, partition, key, clock.now());

      const { store, claims } = spy(storage.webhooks);
      shop.receiver.answer = () => new Promise((answer) => setTimeout(() => answer({}), 1_250));
      assert.equal((await shop.drain({}, { store })).delivered, 1);
      // Two claims are a round. There are six rounds and the first one.
      assert.ok(claims.length <= 16, `${claims.length} claims`);
    },
  },
  {
    name: "an endpoint with nothing leased does not wait for slow backlogs",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      for (let turn = 0; turn < 10; turn += 1)
        await shop.endpoint(`we_slow${turn}`, { event_types: ["order.paid"] });
      await shop.sell(70);
      for (let turn = 0; turn < 10; turn += 1)
        await updateEndpoint(
          storage.records,
          { ...partition, id: `we_slow${turn}` },
          {
            event_types: ["order.refunded"],
          },
        );
      await shop.endpoint("we_tail");

      // The healthy endpoint's delivery is written when the backlog has been claimed ahead.
      const { claims, store } = spy(storage.webhooks);
      let sentSlow = 0;
      let claimsBefore = 0;
      let found = { claims: 0, sentSlow: 0 };
      let slowBefore = 0;
      shop.receiver.answer = async (post) => {
        if (post.url.includes("tail")) {
          slowBefore = sentSlow - found.sentSlow;
          return {};
        }
        sentSlow += 1;
        if (sentSlow === 200) {
          await shop.sell();
          claimsBefore = claims.length;
        }
        await new Promise((answer) => setTimeout(answer, 20));
        return {};
      };
      const claimDeliveries: typeof store.claimDeliveries = async (claim) => {
        const claimed = await store.claimDeliveries(claim);
        const hasTail = claimed.deliveries.some(({ endpoint_id }) => endpoint_id === "we_tail");
        if (hasTail) found = { claims: claims.length, sentSlow };
        return claimed;
      };
      const watched = withMethods(store, { claimDeliveries });
      const report = await shop.drain({ concurrency: 8 }, { store: watched });
      assert.deepEqual([report.delivered, report.stopped_by], [701, "idle"]);
      // One claim may be under way when the delivery is written, and the next one finds it.
      const further = found.claims - claimsBefore;
      assert.ok(further <= 2, `${further} claims were made until it was found`);
      // The delivery gets the first free slot of eight. Sends that are being signed count as later
      // ones here, and the first signature of an endpoint takes longest.
      assert.ok(slowBefore <= 24, `${slowBefore} sends to slow endpoints came first`);
      assert.equal(
        claims.every(({ limit }) => limit >= 1),
        true,
      );
    },
  },
  {
    name: "what another process changes applies to every send that starts a second later",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell(12);
      const { store, reads } = spy(storage.webhooks);
      const moved = "https://moved.example.com/";
      const sealed = await shop.seal("whsec_new", "we_1");
      const now = clock.now();
      const changes = [
        () => updateEndpoint(storage.records, { ...partition, id: "we_1" }, { url: moved }),
        () =>
          rotateSecret(
            storage.records,
            { ...partition, id: "we_1" },
            { sealed, old_until: now, max: 3, now },
          ),
        () => updateEndpoint(storage.records, { ...partition, id: "we_1" }, { state: "disabled" }),
      ];

      // Each send takes 400 ms. The changes are made during the first, the fourth and the seventh.
      let monotonic = 0;
      shop.receiver.answer = async () => {
        monotonic += 400;
        if (shop.posts.length % 3 === 1) await changes.shift()?.();
        return {};
      };
      const report = await shop.drain(
        { concurrency: 1, perEndpointConcurrency: 12 },
        { store, monotonicNow: () => monotonic },
      );

      const hosts = shop.posts.map(({ url }) => new URL(url).hostname.split(".")[0]);
      assert.deepEqual(hosts, [...Array(3).fill("we-1"), ...Array(6).fill("moved")]);
      for (const [index, { headers, body }] of shop.posts.entries()) {
        const secret = index < 6 ? "whsec_we_1" : "whsec_new";
        const header = headers["X-Service-Signature"];
        const verified = await verifyWebhook({ rawBody: body, header, secret, now: now / 1_000 });
        assert.equal(verified.ok, true, `send ${index + 1}`);
      }
      assert.deepEqual([report.attempted, report.stopped_by], [9, "idle"]);
      assert.equal(reads.length, 3);
      assert.equal((await shop.states({ state: "skipped" })).length, 3);
    },
  },
  {
    name: "a delivery that this process lacked resources to send is released, uncounted",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.sell(8);
      let open = 0;
      let most = 0;
      shop.receiver.answer = async () => {
        if (open >= 2) return { ok: false, status: null, error: "local_shortage" };
        open += 1;
        most = Math.max(most, open);
        await new Promise((answer) => setTimeout(answer, 5));
        open -= 1;
        return {};
      };
      const report = await shop.drain();
      assert.deepEqual(
        [report.attempted, report.delivered, report.rescheduled, report.stopped_by, most],
        [8, 8, 0, "idle", 2],
      );
      assert.ok(report.released >= 2);
      // A shortage lets no further request start until another one has ended.
      assert.ok(shop.posts.length <= 16, `${shop.posts.length} tries`);

      const rows = await shop.rows();
      assert.equal(
        rows.every(({ attempts }) => attempts === 1),
        true,
      );
      const [row] = rows;
      const logs = await storage.webhooks.listAttempts({
        ...partition,
        endpoint_id: "we_1",
        event_id: row?.event_id ?? "",
      });
      assert.deepEqual(
        logs.map(({ error }) => error),
        [null],
      );
    },
  },
  {
    name: "the destinations of endpoints are found across stores, and only of enabled ones",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      const ids = ["we_1", "we_2", "we_3"];
      for (const id of ids) await shop.endpoint(id);
      await updateEndpoint(storage.records, { ...partition, id: "we_2" }, { state: "disabled" });
      await deleteRecord(storage.records, "endpoint", { ...partition, id: "we_3" });
      const found = await storage.webhooks.findDestinations([...ids, "we_none"]);
      const [record] = await storage.webhooks.listEndpoints(partition);
      assert.deepEqual(
        found.map(({ id, url, secrets }) => ({ id, url, secrets })),
        [{ id: "we_1", url: record?.url, secrets: record?.secrets }],
      );
      assert.deepEqual(await storage.webhooks.findDestinations([]), []);
    },
  },
];
