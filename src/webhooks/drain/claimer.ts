import type { Claimed } from "../../storage/webhook-store.ts";
import { ClaimRound } from "./claim-round.ts";
import type { Destinations } from "./destinations.ts";
import type { DrainContext, DrainCounts } from "./drain-context.ts";
import { type DrainSettings, settleMarginMs } from "./drain-options.ts";
import type { LeasedDelivery } from "./endpoint-queue.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import type { Releases } from "./releases.ts";

/** The longest time between two claims, also while a slow send is waited for. */
export const pollMs = 250;
const minPrefetch = 200;

export interface ClaimerParts {
  readonly settings: DrainSettings;
  readonly counts: DrainCounts;
  readonly queues: EndpointQueues;
  readonly releases: Releases;
  readonly destinations: Destinations;
}

export type Claimer = ReturnType<typeof createClaimer>;

/** Leases due deliveries ahead of the sends, and decides when to ask the storage for more. */
export function createClaimer(ctx: DrainContext, parts: ClaimerParts) {
  const { settings, queues, releases } = parts;
  const { perEndpointConcurrency } = settings;
  const startWithinMs = startLimitMs(ctx, settings);
  const room = createRoom(parts);
  const round = new ClaimRound();
  const changedDuringClaim = new Set<string>();
  /** The endpoints of which this round's claims may have left deliveries because of the quotas. */
  const fullEndpoints = new Set<string>();
  let claimedAt = Number.NEGATIVE_INFINITY;
  let wasForNew = false;

  function noteResult(claimed: Claimed, quotas: Readonly<Record<string, number>>): void {
    if (round.isBeginning) fullEndpoints.clear();
    for (const id of findFull(claimed, quotas, perEndpointConcurrency)) fullEndpoints.add(id);

    round.add(claimed);
    if (changedDuringClaim.size > 0) round.restart();
    claimedAt = ctx.monotonicNow();
  }

  /** Says whether a round is under way, or the last one left some that can be sent now. */
  const isMoreKnown = (): boolean =>
    !round.isComplete || [...fullEndpoints].some((id) => queues.isWorthClaiming(id));

  return {
    /** Says whether the last round of claims left nothing behind, as far as this drain knows. */
    get isComplete(): boolean {
      return round.isComplete;
    },
    /** Says whether the last round of claims found nothing to send. */
    get foundNothing(): boolean {
      return round.isComplete && round.found === 0;
    },
    /** Tells the claimer that more deliveries are due than the last claim saw. */
    expectMore(): void {
      round.restart();
    },
    /** Notes a change: a running claim leases deliveries with the old address and secret. */
    endpointChanged(endpoint_id: string): void {
      changedDuringClaim.add(endpoint_id);
      round.restart();
    },
    isWorthClaiming(): boolean {
      if (room.isWide() && isMoreKnown()) return true;
      if (room.forNew() < 1) return false;
      if (wasForNew && !round.isComplete) return true;

      return ctx.monotonicNow() - claimedAt > pollMs;
    },
    async claim(): Promise<void> {
      await releases.settled(); // the claim shall find what is being released
      changedDuringClaim.clear();

      // Sends have ended and begun in the meantime.
      const isForNew = !room.isWide();
      const limit = isForNew ? room.forNew() : room.forAll();
      if (limit < 1) return;

      const began = { now: ctx.now(), monotonic: ctx.monotonicNow() };
      const token = ctx.newToken();
      const quotas = isForNew ? queues.quotaOfNewEndpoints() : queues.quotaByEndpoint();
      const claimed = await ctx.store.claimDeliveries({
        now: began.now,
        lease_until: began.now + ctx.leaseMs,
        lease_token: token,
        limit,
        per_endpoint: perEndpointConcurrency,
        quota_by_endpoint: quotas,
        after_endpoint: round.after_endpoint,
      });

      const lease = { token, start_by: began.now + startWithinMs, readAt: began.monotonic };
      const stale = enqueue(parts, claimed, lease, changedDuringClaim);
      wasForNew = isForNew;
      noteResult(claimed, quotas);
      await releases.release(stale);
    },
  };
}

interface Lease {
  readonly token: string;
  readonly start_by: number;
  /** The time at which the endpoints' state and secrets were read, by the monotonic clock. */
  readonly readAt: number;
}

/**
 * Puts the deliveries into their queues. Gives those of endpoints that changed
 * meanwhile.
 */
function enqueue(
  { queues, destinations }: ClaimerParts,
  { deliveries }: Claimed,
  { token, start_by, readAt }: Lease,
  changed: ReadonlySet<string>,
): LeasedDelivery[] {
  const stale: LeasedDelivery[] = [];
  for (const delivery of deliveries) {
    const leased = { delivery, token, start_by };
    if (changed.has(delivery.endpoint_id)) {
      stale.push(leased);
      continue;
    }
    destinations.learn(delivery, readAt);
    queues.add(leased);
  }
  return stale;
}

/**
 * Gives the time in which a leased send must start. Even the shortest lease that is
 * allowed leaves a second to start in.
 */
const startLimitMs = ({ leaseMs }: DrainContext, { timeoutMs }: DrainSettings): number =>
  Math.max(1_000, leaseMs - timeoutMs - settleMarginMs);

/**
 * Decides how many deliveries a claim may lease. While many wait already, a claim
 * still takes deliveries of endpoints of which nothing is leased: a backlog of
 * others must not keep them from their turn.
 */
function createRoom({ settings, counts, queues }: ClaimerParts) {
  const prefetch = Math.max(minPrefetch, settings.concurrency * 4);
  const sendsLeft = (): number => settings.maxDeliveries - counts.attempted;
  const limitOf = (most: number): number =>
    Math.min(most - queues.countStartable(), sendsLeft() - queues.waiting);

  return {
    forAll: (): number => limitOf(prefetch),
    forNew: (): number => limitOf(2 * prefetch),
    /** Says whether a claim may lease enough to be worth its cost. */
    isWide: (): boolean => limitOf(prefetch) >= Math.min(prefetch / 2, sendsLeft()),
  };
}

/**
 * Finds the endpoints of which the claim leased as much as it may: more of them can
 * be due.
 */
function findCutShort({ deliveries }: Claimed, quotaOf: (id: string) => number): string[] {
  const counts = new Map<string, number>();
  for (const { endpoint_id } of deliveries)
    counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);

  return [...counts].filter(([id, count]) => count >= quotaOf(id)).map(([id]) => id);
}

/** Finds the endpoints of which the claim leased all that their quotas allow. */
function findFull(
  claimed: Claimed,
  quotas: Readonly<Record<string, number>>,
  perEndpoint: number,
): string[] {
  const leftOut = Object.keys(quotas).filter((id) => quotas[id] === 0);
  return [...findCutShort(claimed, (id) => quotas[id] ?? perEndpoint), ...leftOut];
}
