import { type EventType, eventTypes, type WebhookEvent } from "../contract/events.ts";
import { invalidOption, requireSignal } from "../input/option-error.ts";
import type { ConsumerCursor, ConsumerStore, ConsumerWork } from "../storage/consumer-store.ts";

export interface ConsumeOptions {
  /** Names the cursor: processes that give the same name share the work. 1..100 characters. */
  readonly consumer: string;
  /** All by default. */
  readonly types?: readonly EventType[];
  /** All stores by default. */
  readonly store_id?: string;
  /** Ends the consumption once the handler that runs has ended. */
  readonly signal: AbortSignal;
}

export interface ConsumeContext {
  readonly store: ConsumerStore;
  now(): number;
  newToken(): string;
  /** Called when something was committed in this process; gives the way to stop. */
  onCommit(wake: () => void): () => void;
  onError(error: unknown, where: string): void;
}

const leaseMs = 60_000;
const idleMs = 1_000;
const batch = 50;
const longestRetryMs = 300_000;

/**
 * The host reacts to events in its own process: at least once, in order within a store and mode, resuming where it stopped after a crash
 * (CONTRACT 6). A handler that throws is called again with the same event after 1 s, doubling to 5 min; other stores go on meanwhile. Processes
 * that share a consumer never do one event at the same time. Resolves when `signal` aborts.
 */
export async function consumeEvents(
  ctx: ConsumeContext,
  { consumer, types, store_id, signal }: ConsumeOptions,
  handler: (event: WebhookEvent) => void | Promise<void>,
): Promise<void> {
  if (typeof consumer !== "string" || consumer.length < 1 || consumer.length > 100)
    invalidOption("consumer", "must be a name of 1..100 characters");
  for (const type of types ?? [])
    if (!eventTypes.includes(type))
      invalidOption("types", `must hold event types; ${String(type)} is none`);
  requireSignal(signal);
  const wanted = types && new Set<EventType>(types);

  while (!signal.aborted) {
    let wake = (): void => {};
    let woken = false;
    const stop = ctx.onCommit(() => {
      woken = true;
      wake();
    });
    try {
      const lease_token = ctx.newToken();
      const now = ctx.now();
      const claim = {
        consumer,
        store_id: store_id ?? null,
        now,
        lease_until: now + leaseMs,
        lease_token,
        limit: batch,
      };
      const work = await ctx.store.claimEvents(claim).catch((error: unknown) => {
        ctx.onError(error, "consumeEvents");
        return null;
      });
      if (work)
        await workOff(ctx, { ...work, consumer, lease_token }, work, wanted, signal, handler);
      else if (!woken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, idleMs);
          function done(): void {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            resolve();
          }
          wake = done;
          signal.addEventListener("abort", done);
        });
      }
    } finally {
      stop();
    }
  }
}

async function workOff(
  ctx: ConsumeContext,
  { store_id, livemode, consumer, lease_token }: ConsumerCursor,
  work: ConsumerWork,
  wanted: ReadonlySet<EventType> | undefined,
  signal: AbortSignal,
  handler: (event: WebhookEvent) => void | Promise<void>,
): Promise<void> {
  const cursor = { store_id, livemode, consumer, lease_token };
  let seen = (work.events[0]?.sequence ?? work.last_sequence + 1) - 1;
  let failures = 0;
  const keep = (sequence: number): Promise<boolean> =>
    ctx.store.advance(cursor, sequence, ctx.now() + leaseMs);
  // A handler may take longer than the lease: it is kept while it runs.
  const renewing = setInterval(
    () => void keep(seen).catch((error: unknown) => ctx.onError(error, "consumeEvents")),
    leaseMs / 3,
  );
  try {
    for (const event of work.events) {
      if (signal.aborted) return;
      if (event.body !== null && (!wanted || wanted.has(event.type))) {
        // The lease is checked before each event: a process that was asleep does nothing that another has taken over.
        if (!(await keep(seen))) return;
        await handler(JSON.parse(event.body) as WebhookEvent);
      }
      seen = event.sequence;
    }
    seen = work.last_sequence;
  } catch (error) {
    failures = work.failures + 1;
    ctx.onError(error, `consumeEvents:${consumer}`);
  } finally {
    clearInterval(renewing);
    // Due at once, but behind the stores that have waited longer.
    const retry_at =
      failures === 0
        ? ctx.now()
        : ctx.now() + Math.min(longestRetryMs, 1_000 * 2 ** Math.min(failures - 1, 20));
    await keep(seen)
      .then(() => ctx.store.release(cursor, { failures, retry_at }))
      .catch((error: unknown) => ctx.onError(error, "consumeEvents"));
  }
}
