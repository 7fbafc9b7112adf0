import { sleep } from "../../domain/async/sleep.ts";
import { isoOrNull } from "../../domain/text/iso.ts";
import type { Settled } from "../../rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import { createSender, type Sender } from "../send/sender.ts";
import { createSettlementBatches, type SettlementBatches } from "../send/settlement-batches.ts";
import { type Claimer, createClaimer, pollMs } from "./claimer.ts";
import { createDestinations } from "./destinations.ts";
import { createBudget, type DrainBudget } from "./drain-budget.ts";
import type { DrainContext, DrainCounts, DrainReport } from "./drain-context.ts";
import type { DrainSettings } from "./drain-options.ts";
import type { LeasedDelivery } from "./endpoint-queue.ts";
import { EndpointQueues } from "./endpoint-queues.ts";
import { deliverNotices } from "./notices.ts";
import { createReleases, type Releases } from "./releases.ts";

export type NextWork = Awaited<ReturnType<WebhookStore["findNextWork"]>>;

const minNoticeMs = 250;
const maxNoticeMs = 5_000;

/** Runs one drain from its first claim to its report. */
export class DrainRun {
  readonly #ctx: DrainContext;
  readonly #settings: DrainSettings;
  readonly #counts: DrainCounts = {
    attempted: 0,
    delivered: 0,
    rescheduled: 0,
    exhausted: 0,
    lease_lost: 0,
    released: 0,
    endpoints_disabled: 0,
  };
  readonly #budget: DrainBudget;
  readonly #queues: EndpointQueues;
  readonly #releases: Releases;
  readonly #batches: SettlementBatches;
  readonly #claimer: Claimer;
  readonly #sender: Sender;
  #waking = new AbortController();

  constructor(ctx: DrainContext, settings: DrainSettings) {
    this.#ctx = ctx;
    this.#settings = settings;
    this.#budget = createBudget(settings, ctx.now);
    this.#queues = new EndpointQueues(settings.perEndpointConcurrency, ctx.monotonicNow);
    this.#releases = createReleases(ctx, this.#counts);
    this.#batches = createSettlementBatches(ctx, (settled) => this.#count(settled));
    const destinations = createDestinations(ctx, {
      queues: this.#queues,
      endpointGone: this.endpointChanged,
      onRead: () => {
        this.#sender.startWaiting();
        this.wake();
      },
    });
    const shared = { settings, counts: this.#counts, queues: this.#queues, destinations };
    this.#claimer = createClaimer(ctx, { ...shared, releases: this.#releases });
    this.#sender = createSender(ctx, {
      ...shared,
      budget: this.#budget,
      batches: this.#batches,
      release: (leased) => this.#release([leased]),
      wake: this.wake,
    });
  }

  /** Ends the wait for running sends, because one has ended or the host has aborted. */
  readonly wake = (): void => this.#waking.abort();

  /**
   * Releases the leased deliveries of a changed endpoint. They would go to the old
   * address, with the old secret, or to an endpoint that is disabled.
   */
  readonly endpointChanged = (endpoint_id: string): void => {
    this.#claimer.endpointChanged(endpoint_id);
    this.#release(this.#queues.removeEndpoint(endpoint_id));
  };

  /**
   * Claims and sends until there is a reason to stop. Gives the next work when it
   * is known.
   */
  async untilStopped(): Promise<NextWork | null> {
    while (!this.#stopReason()) {
      this.#release(this.#queues.removeLate(this.#ctx.now()));

      if (this.#isWorthClaiming()) {
        await this.#claimer.claim();
        this.#sender.startWaiting();
      } else if (!this.#sender.isIdle()) {
        this.#waking = new AbortController();
        await sleep(pollMs, this.#waking.signal);
      } else {
        const nextWork = await this.#whenIdle();
        if (nextWork) return nextWork;
      }
    }
    return null;
  }

  async end(): Promise<void> {
    this.#budget.stop("aborted");

    await this.#releases.release(this.#queues.removeAll());
    await this.#sender.allEnded();
    await this.#releases.settled();
    await this.#batches.writeAll();
  }

  async report(known: NextWork | null): Promise<DrainReport> {
    const { next_due, notices } = known ?? (await this.#ctx.store.findNextWork(this.#ctx.now()));
    if (notices) await this.#deliverNotices();

    const duration_ms = this.#budget.elapsedMs();
    const stopped_by = this.#stopReason() ?? "idle";
    const isDue = next_due !== null && next_due <= this.#ctx.now();
    // When deliveries are due although the last claim found nothing, another worker
    // has them.
    const isElsewhere = stopped_by === "idle" && this.#claimer.foundNothing;
    return {
      ...this.#counts,
      more: isDue && !isElsewhere,
      next_due_at: isoOrNull(next_due),
      stopped_by,
      duration_ms,
    };
  }

  /**
   * Gives the next work when no send is running and there is nothing to do now.
   * Gives null otherwise.
   */
  async #whenIdle(): Promise<NextWork | null> {
    await this.#batches.writeAll();
    await this.#releases.settled();

    if (this.#queues.waiting > 0) {
      this.#sender.startWaiting();
      return null;
    }
    if (!this.#claimer.isComplete && this.#isWorthClaiming()) return null;

    const nextWork = await this.#ctx.store.findNextWork(this.#ctx.now());
    const isDue = nextWork.next_due !== null && nextWork.next_due <= this.#ctx.now();
    if (!isDue || this.#claimer.foundNothing) {
      this.#budget.stop("idle");
      return nextWork;
    }
    this.#claimer.expectMore();
    return null;
  }

  #stopReason(): DrainReport["stopped_by"] | null {
    return this.#budget.stopReason(this.#counts.attempted);
  }

  #isWorthClaiming(): boolean {
    return !this.#batches.isBehind() && this.#claimer.isWorthClaiming();
  }

  #release(unsent: readonly LeasedDelivery[]): void {
    if (unsent.length === 0) return;

    this.#claimer.expectMore();
    this.#releases.releaseInBackground(unsent);
  }

  #count({ outcomes, disabled }: Settled): void {
    for (const outcome of outcomes) if (outcome) this.#counts[outcome] += 1;
    this.#counts.endpoints_disabled += disabled.length;
    for (const endpoint_id of disabled) this.endpointChanged(endpoint_id);
  }

  #deliverNotices(): Promise<void> {
    const leftMs = this.#settings.maxDurationMs - this.#budget.elapsedMs();
    return deliverNotices(this.#ctx, Math.min(maxNoticeMs, Math.max(minNoticeMs, leftMs)));
  }
}
