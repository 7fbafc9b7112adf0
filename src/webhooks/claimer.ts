import type { Claimed } from "../storage/webhook-store.ts";
import type { DrainContext } from "./drain-context.ts";
import { type DrainSettings, settleMarginMs } from "./drain-options.ts";
import type { LeasedDelivery } from "./endpoint-queue.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import type { Releases } from "./releases.ts";

/** The longest time between two claims, and the longest wait for a send that takes long. */
export const pollMs = 250;
const minPrefetch = 200;

export interface ClaimerParts {
  readonly settings: DrainSettings;
  readonly queues: EndpointQueues;
  readonly releases: Releases;
}

export type Claimer = ReturnType<typeof createClaimer>;

/** Leases due deliveries ahead of the sends, and decides when to ask the storage for more. */
export function createClaimer(ctx: DrainContext, { settings, queues, releases }: ClaimerParts) {
  const { concurrency, maxDeliveries, perEndpointConcurrency, timeoutMs } = settings;
  const prefetch = Math.max(minPrefetch, concurrency * 4);
  // Even the shortest lease that is allowed leaves a second to start in.
  const startWithinMs = Math.max(1_000, ctx.leaseMs - timeoutMs - settleMarginMs);
  const changedDuringClaim = new Set<string>();
  let afterEndpoint: string | null = null;
  let isComplete = false;
  let fullEndpoints: readonly string[] = [];
  let claimedAt = 0;
  let foundLast = 0;

  const limit = (attempted: number): number =>
    Math.min(prefetch - queues.countStartable(), maxDeliveries - attempted - queues.waiting);

  /** Puts the deliveries into their queues; gives those of endpoints that changed meanwhile. */
  function enqueue({ deliveries }: Claimed, token: string, start_by: number): LeasedDelivery[] {
    const stale: LeasedDelivery[] = [];
    for (const delivery of deliveries) {
      const leased = { delivery, token, start_by };
      if (changedDuringClaim.has(delivery.endpoint_id)) stale.push(leased);
      else queues.add(leased);
    }
    return stale;
  }

  return {
    /** True when the last claim left no due delivery behind, as far as this drain knows. */
    get isComplete(): boolean {
      return isComplete;
    },
    /** True when the last claim found nothing to send. */
    get foundNothing(): boolean {
      return foundLast === 0;
    },
    /** Says that more deliveries are due than the last claim saw. */
    expectMore(): void {
      isComplete = false;
    },
    /** Deliveries of this endpoint that a running claim leases carry its old address and secret. */
    endpointChanged(endpoint_id: string): void {
      changedDuringClaim.add(endpoint_id);
      isComplete = false;
    },
    isWorthClaiming(attempted: number): boolean {
      if (limit(attempted) < Math.min(prefetch / 2, maxDeliveries - attempted)) return false;
      if (!isComplete || fullEndpoints.some((id) => queues.isWorthClaiming(id))) return true;

      return performance.now() - claimedAt > pollMs;
    },
    async claim(attempted: number): Promise<void> {
      await releases.settled(); // the claim shall find what is being released
      changedDuringClaim.clear();

      const now = ctx.now();
      const token = ctx.newToken();
      const quotas = queues.quotaByEndpoint();
      const claimed = await ctx.store.claimDeliveries({
        now,
        lease_until: now + ctx.leaseMs,
        lease_token: token,
        limit: limit(attempted),
        per_endpoint: perEndpointConcurrency,
        quota_by_endpoint: quotas,
        after_endpoint: afterEndpoint,
      });
      await releases.release(enqueue(claimed, token, now + startWithinMs));

      const leftOut = Object.keys(quotas).filter((id) => quotas[id] === 0);
      const quotaOf = (id: string): number => quotas[id] ?? perEndpointConcurrency;
      fullEndpoints = [...findCutShort(claimed, quotaOf), ...leftOut];
      afterEndpoint = claimed.after_endpoint;
      isComplete = claimed.complete && changedDuringClaim.size === 0;
      foundLast = claimed.deliveries.length + changedDuringClaim.size;
      claimedAt = performance.now();
    },
  };
}

/** The endpoints of which the claim leased as much as it may: more of them can be due. */
function findCutShort({ deliveries }: Claimed, quotaOf: (id: string) => number): string[] {
  const counts = new Map<string, number>();
  for (const { endpoint_id } of deliveries)
    counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);

  return [...counts].filter(([id, count]) => count >= quotaOf(id)).map(([id]) => id);
}
