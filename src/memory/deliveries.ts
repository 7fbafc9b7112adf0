import type { ClaimedDelivery, FinalState } from "../rules/webhook-records.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";
import type { MemoryState } from "./state.ts";
import {
  deliveryKey,
  findEndpoint,
  findEvent,
  firstDue,
  isBefore,
  putDelivery,
  type StoredDelivery,
  shown,
  skipDeliveries,
} from "./webhooks.ts";

type Steps = Pick<
  WebhookStore,
  "claimDeliveries" | "releaseDeliveries" | "outlook" | "resendDelivery" | "recoverDeliveries"
>;

const skipChunk = 1_000;

export function memoryDeliveries(state: MemoryState): Steps {
  const { endpoints, deliveries, due, notices } = state.webhooks;

  const lease = (delivery: StoredDelivery, until: number, token: string): StoredDelivery => {
    // A lease token on a due delivery is one whose holder never told an outcome.
    const lost_leases =
      delivery.lease_token === null ? delivery.lost_leases : delivery.lost_leases + 1;
    const leased = { ...delivery, due_at: until, lease_token: token, lost_leases };
    putDelivery(state, leased);
    return leased;
  };

  return {
    async claimDeliveries(claim) {
      const claimed: ClaimedDelivery[] = [];
      let complete = true;
      let after_endpoint = claim.after_endpoint;
      const ids = [...due.keys()].sort();
      const turn = ids.filter(
        (id) => claim.after_endpoint !== null && id <= claim.after_endpoint,
      ).length;
      for (const id of [...ids.slice(turn), ...ids.slice(0, turn)]) {
        const endpoint = endpoints.get(id);
        if (endpoint?.state !== "enabled") {
          if (skipDeliveries(state, id, skipChunk, claim.now) === skipChunk) complete = false;
          continue;
        }
        let room = claim.rooms[id] ?? claim.per_endpoint;
        for (
          let delivery = firstDue(state, id);
          room > 0 && delivery && delivery.due_at <= claim.now;
          delivery = firstDue(state, id)
        ) {
          if (claimed.length >= claim.limit) {
            complete = false;
            break;
          }
          const leased = lease(delivery, claim.lease_until, claim.lease_token);
          const body = findEvent(state, delivery, delivery.event_id)?.body ?? "";
          const { failures, lost_leases } = leased;
          claimed.push({
            ...shown(leased),
            failures,
            lost_leases,
            url: endpoint.url,
            secrets: endpoint.secrets,
            body,
          });
          after_endpoint = id;
          room -= 1;
        }
        if (claimed.length >= claim.limit) break;
      }
      return {
        deliveries: claimed,
        after_endpoint,
        complete: complete && claimed.length < claim.limit,
      };
    },
    async releaseDeliveries(keys, lease_token, now) {
      for (const key of keys) {
        const delivery = deliveries.get(deliveryKey(key));
        if (delivery?.state === "pending" && delivery.lease_token === lease_token)
          putDelivery(state, { ...delivery, due_at: now, lease_token: null });
      }
    },
    async outlook(now) {
      const times = [...due.keys()].flatMap((id) =>
        endpoints.get(id)?.state === "enabled" ? (firstDue(state, id)?.due_at ?? []) : [],
      );
      return {
        next_due: times.length === 0 ? null : Math.min(...times),
        notices: [...notices.values()].some(({ due_at }) => due_at <= now),
      };
    },
    async resendDelivery(partition, { endpoint_id, event_id }, now) {
      const delivery = deliveries.get(deliveryKey({ ...partition, endpoint_id, event_id }));
      if (!delivery || delivery.livemode !== partition.livemode) return { outcome: "unknown" };
      if (findEndpoint(state, partition, endpoint_id)?.state !== "enabled")
        return { outcome: "endpoint_disabled" };
      if (!findEvent(state, partition, event_id)?.body) return { outcome: "event_pruned" };
      if (delivery.state === "pending" && delivery.lease_token !== null && delivery.due_at > now)
        return { outcome: "in_flight", delivery: shown(delivery) };
      const resumes = delivery.resumes ?? { state: delivery.state, due_at: delivery.due_at };
      const queued = {
        ...delivery,
        state: "pending",
        due_at: now,
        lease_token: null,
        resumes,
        updated_at: now,
      } as const;
      putDelivery(state, queued);
      return { outcome: "queued", delivery: shown(queued) };
    },
    async recoverDeliveries({
      endpoint_id,
      since,
      until,
      states,
      before,
      limit,
      now,
      ...partition
    }) {
      const matching = [...deliveries.values()]
        .filter(
          (delivery) =>
            delivery.endpoint_id === endpoint_id &&
            delivery.store_id === partition.store_id &&
            delivery.livemode === partition.livemode &&
            delivery.created_at >= since &&
            delivery.created_at <= until &&
            states.includes(delivery.state as FinalState) &&
            findEvent(state, delivery, delivery.event_id)?.body &&
            (before === null || isBefore(delivery, before)),
        )
        .sort((a, b) => (isBefore(a, b) ? 1 : -1))
        .slice(0, limit);
      for (const delivery of matching)
        putDelivery(state, {
          ...delivery,
          state: "pending",
          due_at: now,
          failures: 0,
          lost_leases: 0,
          resumes: null,
          lease_token: null,
          updated_at: now,
        });
      const last = matching.length < limit ? undefined : matching.at(-1);
      return {
        recovered: matching.length,
        before: last ? { created_at: last.created_at, event_id: last.event_id, endpoint_id } : null,
      };
    },
  };
}
