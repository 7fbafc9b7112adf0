import { createEndpoint } from "../../../steps/webhooks/endpoint-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { claimer, endpointRecord, sell } from "../fixtures/delivery-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { engine } from "../fixtures/webhook-fixtures.ts";

/** Checks which deliveries a worker gets, and for how long they are its own. */
export const webhookClaimCases: readonly StorageCase[] = [
  {
    name: "concurrent claims never lease one delivery twice",
    async run(context) {
      const { storage, assert } = context;

      await fixtures(context).shop();
      await createEndpoint(storage.records, endpointRecord("we_1"), 50);
      await createEndpoint(storage.records, endpointRecord("we_2"), 50);
      await sell(context, 10);
      const claims = await times(10, (index) => claimer(context)(`t${index}`));
      const keys = claims.flat().map((delivery) => `${delivery.endpoint_id} ${delivery.event_id}`);
      assert.equal(new Set(keys).size, keys.length);
      assert.equal(keys.length, 60);
    },
  },
  {
    name: "an endpoint with a long queue does not starve another endpoint",
    async run(context) {
      const { storage, assert } = context;

      await fixtures(context).shop();
      await createEndpoint(storage.records, endpointRecord("we_1"), 50);
      await sell(context, 20);
      await createEndpoint(storage.records, endpointRecord("we_2"), 50);
      await sell(context, 1);
      const claimed = await claimer(context)("t", { limit: 7 });
      const count = (id: string) =>
        claimed.filter((delivery) => delivery.endpoint_id === id).length;
      assert.deepEqual([count("we_1"), count("we_2")], [4, 3]);

      const rest = await claimer(context)("u", { quota_by_endpoint: { we_1: 0 } });
      assert.equal(rest.length, 0);
    },
  },
  {
    name: "a claim respects each endpoint's quota and continues where the last one stopped",
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
        [count(first.deliveries), first.left_behind, first.after_endpoint],
        [[2, 1, 0], "deliveries", "we_2"],
      );

      const second = await claim({ limit: 3, after_endpoint: first.after_endpoint });
      assert.deepEqual([count(second.deliveries), second.left_behind], [[1, 0, 2], "deliveries"]);

      const third = await claim({
        after_endpoint: second.after_endpoint,
        quota_by_endpoint: { we_1: 0, we_2: 100 },
      });
      assert.deepEqual([count(third.deliveries), third.left_behind], [[0, 5, 2], "nothing"]);
      assert.equal(
        third.deliveries.every(({ body }) => body.includes('"order.paid"')),
        true,
      );
    },
  },
  {
    name: "after its lease a delivery is due again, and a late success still counts",
    async run(context) {
      const { storage, clock, assert } = context;

      await fixtures(context).shop();
      await createEndpoint(
        storage.records,
        endpointRecord("we_1", { event_types: ["order.paid"] }),
        50,
      );
      await sell(context, 1);
      const [first] = await claimer(context)("one");
      assert.equal((await claimer(context)("two")).length, 0);

      clock.advance(60_000);
      assert.equal((await claimer(context)("two")).length, 1);

      if (!first) return assert.ok(first, "nothing was claimed");
      const { store_id, endpoint_id, event_id } = first;
      const log = {
        started_at: 0,
        duration_ms: 1,
        status: 500,
        error: "http_status",
        snippet: null,
      };
      const settle = async (lease_token: string, delivered: boolean) => {
        const due_at = delivered ? null : clock.now() + 1_000;
        const settlement = {
          store_id,
          endpoint_id,
          event_id,
          lease_token,
          delivered,
          due_at,
          alert_id: "alr_1",
          log,
        };
        return (await storage.webhooks.settleDeliveries([settlement], clock.now())).outcomes;
      };
      assert.deepEqual(await settle("one", false), ["lease_lost"]);
      assert.deepEqual(await settle("two", false), ["rescheduled"]);
      assert.equal(
        (await storage.webhooks.findNextWork(clock.now())).next_due,
        clock.now() + 1_000,
      );
      assert.deepEqual(await settle("one", true), ["delivered"]);
      assert.deepEqual(await settle("one", true), ["lease_lost"]);
      assert.equal((await storage.webhooks.findNextWork(clock.now())).next_due, null);
    },
  },
  {
    name: "only its holder can release a delivery, which is due again immediately",
    async run(context) {
      const { storage, clock, assert } = context;

      await fixtures(context).shop();
      await createEndpoint(storage.records, endpointRecord("we_1"), 50);
      await sell(context, 1);
      const claimed = await claimer(context)("one");
      await storage.webhooks.releaseDeliveries(claimed, "other", clock.now());
      assert.equal((await claimer(context)("two")).length, 0);

      await storage.webhooks.releaseDeliveries(claimed, "one", clock.now());
      assert.equal((await claimer(context)("two")).length, 3);
    },
  },
];
