import { compareTurns, skipLimit } from "../../rules/webhooks/claim-turns.ts";
import { leased, recordOf, type StoredDelivery, skipped } from "../../rules/webhooks/deliveries.ts";
import type { ClaimedDelivery, EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { Claim, WebhookStore } from "../../storage/webhook-store.ts";
import type { MemoryState } from "../state.ts";
import { findEvent } from "./events.ts";
import { deliveryKey, firstDue, putDelivery } from "./webhook-state.ts";

type ClaimSteps = Pick<
  WebhookStore,
  "claimDeliveries" | "findDestinations" | "skipDeliveries" | "releaseDeliveries" | "findNextWork"
>;

export function memoryClaims(state: MemoryState): ClaimSteps {
  const { endpoints, deliveries, due, notices } = state.webhooks;

  return {
    async claimDeliveries(claim) {
      const claimed: ClaimedDelivery[] = [];
      let skippedAll = true;

      const ids = [...due.keys()].sort((a, b) => compareTurns(claim.after_endpoint, a, b));
      for (const id of ids) {
        const endpoint = endpoints.get(id);
        if (endpoint?.state === "enabled") {
          const quota = claim.quota_by_endpoint[id] ?? claim.per_endpoint;
          const most = Math.min(quota, claim.limit - claimed.length);
          claimed.push(...lease(state, endpoint, claim, most));
        } else if (skip(state, id, skipLimit, claim.now) === skipLimit) skippedAll = false;

        if (claimed.length >= claim.limit) break;
      }

      return {
        deliveries: claimed,
        after_endpoint: claimed.at(-1)?.endpoint_id ?? claim.after_endpoint,
        left_behind: skippedAll && claimed.length < claim.limit ? "nothing" : "deliveries",
      };
    },
    findDestinations: async (endpoint_ids) =>
      endpoint_ids.flatMap((id) => {
        const endpoint = endpoints.get(id);
        if (endpoint?.state !== "enabled") return [];

        const { url, secrets } = endpoint;
        return [{ id, url, secrets }];
      }),
    async skipDeliveries(_store_id, endpoint_id, limit, now) {
      const isEnabled = endpoints.get(endpoint_id)?.state === "enabled";
      return isEnabled ? 0 : skip(state, endpoint_id, limit, now);
    },
    async releaseDeliveries(keys, lease_token, now) {
      for (const key of keys) {
        const delivery = deliveries.get(deliveryKey(key));
        if (delivery?.state === "pending" && delivery.lease_token === lease_token)
          putDelivery(state.webhooks, { ...delivery, due_at: now, lease_token: null });
      }
    },
    async findNextWork(now) {
      const times = [...due.keys()]
        .filter((id) => endpoints.get(id)?.state === "enabled")
        .flatMap((id) => firstDue(state.webhooks, id)?.due_at ?? []);

      return {
        next_due: times.length === 0 ? null : Math.min(...times),
        notices: [...notices.values()].some(({ due_at }) => due_at <= now),
      };
    },
  };
}

/** Leases at most this many due deliveries of one endpoint. */
function lease(
  state: MemoryState,
  endpoint: EndpointRecord,
  claim: Claim,
  most: number,
): readonly ClaimedDelivery[] {
  const claimed: ClaimedDelivery[] = [];

  while (claimed.length < most) {
    const delivery = firstDue(state.webhooks, endpoint.id);
    if (!delivery || delivery.due_at > claim.now) break;

    const held = leased(delivery, claim.lease_until, claim.lease_token);
    putDelivery(state.webhooks, held);
    claimed.push(claimedOf(state, held, endpoint));
  }
  return claimed;
}

const claimedOf = (
  state: MemoryState,
  delivery: StoredDelivery,
  { url, secrets }: EndpointRecord,
): ClaimedDelivery => ({
  ...recordOf(delivery),
  failures: delivery.failures,
  lost_leases: delivery.lost_leases,
  url,
  secrets,
  body: findEvent(state, delivery, delivery.event_id)?.body ?? "",
});

/** Gives the number of deliveries that were skipped. */
function skip({ webhooks }: MemoryState, endpoint_id: string, limit: number, now: number): number {
  for (let count = 0; count < limit; count += 1) {
    const delivery = firstDue(webhooks, endpoint_id);
    if (!delivery) return count;

    putDelivery(webhooks, { ...delivery, ...skipped(now) });
  }
  return limit;
}
