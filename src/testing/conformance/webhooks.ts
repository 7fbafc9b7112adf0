import type { ClaimedDelivery, EndpointRecord } from "../../rules/webhook-records.ts";
import type { Claim } from "../../storage/webhook-store.ts";
import { type CaseContext, fixtures, type StorageCase, times } from "./case.ts";

const endpoint = (id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord => ({
  store_id: "str_A",
  livemode: false,
  id,
  url: `https://${id}.example.com/`,
  event_types: null,
  state: "enabled",
  disabled_reason: null,
  description: null,
  secrets: [{ sealed: "x", expires_at: null }],
  created_at: 1,
  ...changes,
});

const claimer =
  ({ storage, clock }: CaseContext) =>
  async (
    lease_token: string,
    changes: Partial<Claim> = {},
  ): Promise<readonly ClaimedDelivery[]> => {
    const { deliveries } = await storage.webhooks.claimDeliveries({
      now: clock.now(),
      lease_until: clock.now() + 60_000,
      lease_token,
      limit: 100,
      per_endpoint: 4,
      quota_by_endpoint: {},
      after_endpoint: null,
      ...changes,
    });
    return deliveries;
  };

async function sell(context: CaseContext, count: number): Promise<void> {
  const { openSession, completion } = fixtures(context);
  for (let turn = 0; turn < count; turn += 1)
    await context.storage.orders.completeSession(completion(await openSession()));
}

export const webhookCases: readonly StorageCase[] = [
  {
    name: "an event's deliveries are written with it: by type, skipped for a disabled endpoint, never for another mode",
    async run(context) {
      const { storage, assert } = context;
      await fixtures(context).shop();
      await storage.webhooks.createEndpoint(endpoint("we_all"), 50);
      await storage.webhooks.createEndpoint(
        endpoint("we_paid", { event_types: ["order.paid"] }),
        50,
      );
      await storage.webhooks.createEndpoint(
        endpoint("we_off", { event_types: ["order.paid"], state: "disabled" }),
        50,
      );
      await storage.webhooks.createEndpoint(endpoint("we_live", { livemode: true }), 50);
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
    },
  },
  {
    name: "at most fifty endpoints, judged inside the step",
    async run(context) {
      const { storage, assert } = context;
      await fixtures(context).shop();
      const made = await times(60, (index) =>
        storage.webhooks.createEndpoint(endpoint(`we_${index}`), 50),
      );
      assert.equal(made.filter(({ outcome }) => outcome === "created").length, 50);
    },
  },
  {
    name: "claims at once never lease one delivery twice",
    async run(context) {
      const { storage, assert } = context;
      await fixtures(context).shop();
      await storage.webhooks.createEndpoint(endpoint("we_1"), 50);
      await storage.webhooks.createEndpoint(endpoint("we_2"), 50);
      await sell(context, 10);
      const claims = await times(10, (index) => claimer(context)(`t${index}`));
      const keys = claims.flat().map((delivery) => `${delivery.endpoint_id} ${delivery.event_id}`);
      assert.equal(new Set(keys).size, keys.length);
      assert.equal(keys.length, 60);
    },
  },
  {
    name: "an endpoint with a long queue does not starve another",
    async run(context) {
      const { storage, assert } = context;
      await fixtures(context).shop();
      await storage.webhooks.createEndpoint(endpoint("we_1"), 50);
      await sell(context, 20);
      await storage.webhooks.createEndpoint(endpoint("we_2"), 50);
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
    name: "an ended lease is due again; only its holder records a failure, anyone a late success",
    async run(context) {
      const { storage, clock, assert } = context;
      await fixtures(context).shop();
      await storage.webhooks.createEndpoint(endpoint("we_1", { event_types: ["order.paid"] }), 50);
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
    name: "what is given back is due at once, to its holder alone",
    async run(context) {
      const { storage, clock, assert } = context;
      await fixtures(context).shop();
      await storage.webhooks.createEndpoint(endpoint("we_1"), 50);
      await sell(context, 1);
      const claimed = await claimer(context)("one");
      await storage.webhooks.releaseDeliveries(claimed, "other", clock.now());
      assert.equal((await claimer(context)("two")).length, 0);
      await storage.webhooks.releaseDeliveries(claimed, "one", clock.now());
      assert.equal((await claimer(context)("two")).length, 3);
    },
  },
];
