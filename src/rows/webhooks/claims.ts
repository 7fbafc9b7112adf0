import { compareTurns, skipLimit } from "../../rules/webhooks/claim-turns.ts";
import { leased, recordOf, type StoredDelivery, skipped } from "../../rules/webhooks/deliveries.ts";
import type { ClaimedDelivery, EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { Claim, Claimed } from "../../storage/webhook-store.ts";

/** The deliveries that wait, in a storage that holds all its rows. */
export interface PendingRows {
  endpointOf(endpoint_id: string): EndpointRecord | null;
  /** Gives the endpoint's pending delivery that is due first. */
  firstDue(endpoint_id: string): StoredDelivery | null;
  bodyOf(delivery: StoredDelivery): string | null;
  put(delivery: StoredDelivery): void;
}

/**
 * Leases due deliveries, a few of each endpoint in turn. It skips the deliveries of endpoints that
 * are disabled or deleted. `endpoint_ids` names all endpoints with pending deliveries, in any
 * order.
 */
export function claimInTurns(
  rows: PendingRows,
  endpoint_ids: Iterable<string>,
  claim: Claim,
): Claimed {
  const { now, limit, after_endpoint, quota_by_endpoint, per_endpoint } = claim;
  const claimed: ClaimedDelivery[] = [];
  let skippedAll = true;

  for (const id of [...endpoint_ids].sort((a, b) => compareTurns(after_endpoint, a, b))) {
    const endpoint = rows.endpointOf(id);
    if (endpoint?.state === "enabled") {
      const most = Math.min(quota_by_endpoint[id] ?? per_endpoint, limit - claimed.length);
      claimed.push(...lease(rows, endpoint, claim, most));
    } else if (skipPending(rows, id, skipLimit, now) === skipLimit) skippedAll = false;

    if (claimed.length >= limit) break;
  }
  return {
    deliveries: claimed,
    after_endpoint: claimed.at(-1)?.endpoint_id ?? after_endpoint,
    left_behind: skippedAll && claimed.length < limit ? "nothing" : "deliveries",
  };
}

/** Leases at most this many due deliveries of one endpoint. */
function lease(
  rows: PendingRows,
  endpoint: EndpointRecord,
  claim: Claim,
  most: number,
): readonly ClaimedDelivery[] {
  const { url, secrets, agent } = endpoint;
  const claimed: ClaimedDelivery[] = [];

  while (claimed.length < most) {
    const delivery = rows.firstDue(endpoint.id);
    if (!delivery || delivery.due_at > claim.now) break;

    const held = leased(delivery, claim.lease_until, claim.lease_token);
    rows.put(held);
    const { failures, lost_leases } = held;
    const body = rows.bodyOf(held) ?? "";
    claimed.push({ ...recordOf(held), failures, lost_leases, url, secrets, agent, body });
  }
  return claimed;
}

/** Skips at most `limit` pending deliveries of an endpoint, and gives how many. */
export function skipPending(
  rows: PendingRows,
  endpoint_id: string,
  limit: number,
  now: number,
): number {
  for (let count = 0; count < limit; count += 1) {
    const delivery = rows.firstDue(endpoint_id);
    if (!delivery) return count;

    rows.put(skipped(delivery, now));
  }
  return limit;
}

/** Gives the time at which the next delivery to one of these endpoints is due. */
export function nextDue(rows: PendingRows, endpoint_ids: Iterable<string>): number | null {
  const times = [...endpoint_ids]
    .filter((id) => rows.endpointOf(id)?.state === "enabled")
    .flatMap((id) => rows.firstDue(id)?.due_at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
