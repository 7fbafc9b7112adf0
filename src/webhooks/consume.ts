import { type EventType, eventTypes, type WebhookEvent } from "../contract/events.ts";
import { sleep } from "../domain/sleep.ts";
import { invalidOption, requireSignal } from "../input/option-error.ts";
import type { ConsumerCursor, ConsumerStore, ConsumerWork } from "../storage/consumer-store.ts";

export interface ConsumeOptions {
  /**
   * Names the cursor, in 1..100 characters: processes that give the same name share
   * the work.
   */
  readonly consumer: string;
  /** The event types to handle; all by default. */
  readonly types?: readonly EventType[];
  /** The one store to consume; all stores by default. */
  readonly store_id?: string;
  /** Ends the consumption once the running handler has ended. */
  readonly signal: AbortSignal;
}

export interface ConsumeContext {
  readonly store: ConsumerStore;
  now(): number;
  newToken(): string;
  /** Calls `wake` at each commit in this process; returns how to stop listening. */
  onCommit(wake: () => void): () => void;
  onError(error: unknown, where: string): void;
}

type Handler = (event: WebhookEvent) => void | Promise<void>;

const leaseMs = 60_000;
const idleMs = 1_000;
const batchSize = 50;
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

/**
 * Calls the handler in the host's own process: at least once for each event, in
 * order within a store and mode. After a crash it goes on where the cursor stands.
 * When the handler throws, it is called again with the same event after 1 s,
 * doubling up to 5 min; other stores go on meanwhile. Processes that share a
 * consumer never handle one event at the same time. Resolves when `signal` aborts.
 */
export async function consumeEvents(
  ctx: ConsumeContext,
  options: ConsumeOptions,
  handler: Handler,
): Promise<void> {
  checkOptions(options);
  const { consumer, types, store_id = null, signal } = options;
  const wanted = types && new Set<EventType>(types);

  while (!signal.aborted) {
    const woken = new AbortController();
    const stopListening = ctx.onCommit(() => woken.abort());

    try {
      const lease_token = ctx.newToken();
      const work = await claimWork(ctx, { consumer, store_id, lease_token });

      if (work) {
        const { store_id, livemode } = work;
        const cursor = { store_id, livemode, consumer, lease_token };
        await handleEvents(ctx, { cursor, work, wanted, signal }, handler);
      } else await sleep(idleMs, signal, woken.signal);
    } finally {
      stopListening();
    }
  }
}

function checkOptions({ consumer, types, signal }: ConsumeOptions): void {
  if (typeof consumer !== "string" || consumer.length < 1 || consumer.length > 100)
    invalidOption("consumer", "must be a name of 1..100 characters");

  for (const type of types ?? [])
    if (!eventTypes.includes(type))
      invalidOption("types", `must hold event types; ${String(type)} is none`);

  requireSignal(signal);
}

interface WorkClaim {
  readonly consumer: string;
  readonly store_id: string | null;
  readonly lease_token: string;
}

async function claimWork(ctx: ConsumeContext, claim: WorkClaim): Promise<ConsumerWork | null> {
  const now = ctx.now();

  try {
    return await ctx.store.claimEvents({
      ...claim,
      now,
      lease_until: now + leaseMs,
      limit: batchSize,
    });
  } catch (error) {
    ctx.onError(error, "consumeEvents");
    return null;
  }
}

interface LeasedWork {
  readonly cursor: ConsumerCursor;
  readonly work: ConsumerWork;
  readonly wanted: ReadonlySet<EventType> | undefined;
  readonly signal: AbortSignal;
}

async function handleEvents(
  ctx: ConsumeContext,
  { cursor, work, wanted, signal }: LeasedWork,
  handler: Handler,
): Promise<void> {
  let handled = (work.events[0]?.sequence ?? work.last_sequence + 1) - 1;
  let failures = 0;
  const advance = (): Promise<boolean> => ctx.store.advance(cursor, handled, ctx.now() + leaseMs);
  const reportError = (error: unknown): void => ctx.onError(error, "consumeEvents");

  // A handler may take longer than the lease, so the lease is renewed while it runs.
  const renewal = setInterval(() => void advance().catch(reportError), leaseMs / 3);

  try {
    for (const event of work.events) {
      if (signal.aborted) return;

      if (event.body !== null && (!wanted || wanted.has(event.type))) {
        // A process that was asleep may have lost its lease: then another one handles the event.
        if (!(await advance())) return;

        await handler(JSON.parse(event.body) as WebhookEvent);
      }
      handled = event.sequence;
    }
    handled = work.last_sequence;
  } catch (error) {
    failures = work.failures + 1;
    ctx.onError(error, `consumeEvents:${cursor.consumer}`);
  } finally {
    clearInterval(renewal);
    // Without a failure the store is due at once, behind those that have waited longer.
    const retry_at = ctx.now() + retryDelayMs(failures);
    await advance()
      .then(() => ctx.store.release(cursor, { failures, retry_at }))
      .catch(reportError);
  }
}

const retryDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
