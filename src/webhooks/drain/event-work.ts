import type { EventRecord } from "../../rules/records.ts";
import type { ConsumerStore, ConsumerWork } from "../../storage/consumer-store.ts";

export interface EventWorkContext {
  readonly store: ConsumerStore;
  now(): number;
  newToken(): string;
  onError(error: unknown, where: string): void;
}

/** An event whose bytes are still kept. */
export type KeptEvent = EventRecord & { readonly body: string };

export interface EventHandling {
  readonly consumer: string;
  /** Only the events of this store are handled. Null means all stores. */
  readonly store_id: string | null;
  /** Events for which it gives false are passed over. */
  readonly wants: (event: EventRecord) => boolean;
  readonly handle: (event: KeptEvent) => unknown;
  /**
   * The cursor is moved, and the lease confirmed, before an event that begins later
   * than this after the last time.
   */
  readonly confirmAfterMs: number;
  /** A dead process keeps a store from the others for this long. */
  readonly leaseMs: number;
  readonly longestRetryMs: number;
  /** Names the caller in reports of errors. */
  readonly where: string;
  readonly signal: AbortSignal;
}

/** New events of one store and mode, and the token of the lease under which they are handled. */
export interface LeasedWork {
  readonly work: ConsumerWork;
  readonly lease_token: string;
}

export const idleMs = 1_000;
const batchSize = 50;
export const firstRetryMs = 1_000;

/**
 * Leases the store that has waited longest. Gives null when there is none, or the
 * storage fails.
 */
export async function leaseWork(
  ctx: EventWorkContext,
  { consumer, store_id, leaseMs, where }: EventHandling,
): Promise<LeasedWork | null> {
  const lease_token = ctx.newToken();
  const now = ctx.now();
  const claim = {
    consumer,
    store_id,
    lease_token,
    now,
    lease_until: now + leaseMs,
    limit: batchSize,
  };

  try {
    const work = await ctx.store.claimEvents(claim);
    return work && { work, lease_token };
  } catch (error) {
    ctx.onError(error, where);
    return null;
  }
}

/**
 * Handles leased events one after another and moves the cursor behind the handled
 * ones. After an error the store waits, and the same event comes first again.
 */
export async function handleWork(
  ctx: EventWorkContext,
  { work, lease_token }: LeasedWork,
  handling: EventHandling,
): Promise<void> {
  const { consumer, wants, handle, confirmAfterMs, leaseMs, signal } = handling;
  const { store_id, livemode, events, last_sequence } = work;
  const cursor = { store_id, livemode, consumer, lease_token };
  let handled = (events[0]?.sequence ?? last_sequence + 1) - 1;
  let failures = 0;
  let confirmedAt = performance.now();

  const advance = (): Promise<boolean> => ctx.store.advance(cursor, handled, ctx.now() + leaseMs);
  const reportError = (error: unknown): void => ctx.onError(error, handling.where);

  // A handler may take longer than the lease, so the lease is renewed while it runs.
  const renewal = setInterval(() => void advance().catch(reportError), leaseMs / 3);

  try {
    for (const event of events) {
      if (signal.aborted) return;

      if (isKept(event) && wants(event)) {
        if (performance.now() - confirmedAt >= confirmAfterMs) {
          // A process that was asleep may have lost its lease: then another one handles the event.
          if (!(await advance())) return;
          confirmedAt = performance.now();
        }
        await handle(event);
      }
      handled = event.sequence;
    }
    handled = last_sequence;
  } catch (error) {
    failures = work.failures + 1;
    ctx.onError(error, `${handling.where}:${consumer}`);
  } finally {
    clearInterval(renewal);
    // Without a failure the store is due at once, behind those that have waited longer.
    const retry_at = ctx.now() + retryDelayMs(failures, handling.longestRetryMs);
    await advance()
      .then(() => ctx.store.release(cursor, { failures, retry_at }))
      .catch(reportError);
  }
}

const isKept = (event: EventRecord): event is KeptEvent => event.body !== null;

const retryDelayMs = (failures: number, longestRetryMs: number): number =>
  failures === 0 ? 0 : Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
