import type { EventType } from "../contract/events.ts";
import { sleep } from "../domain/async/sleep.ts";
import { timeBox } from "../domain/async/time-box.ts";
import { iso } from "../domain/text/iso.ts";
import { invalidOption, requireOptions } from "../input/option-error.ts";
import { refuseWrongOptions } from "../input/option-kinds.ts";
import {
  type ConsumeContext,
  type ConsumeOptions,
  checkConsumer,
  sharedKinds,
  whatToHandle,
} from "./consume.ts";
import {
  type EventHandling,
  handleWork,
  idleMs,
  type KeptEvent,
  type LeasedWork,
  leaseWork,
} from "./drain/event-work.ts";

/** An event as it is handed to a broker. */
export interface RelayedEvent {
  /** Every try to publish this event has this id, by which brokers know a repeated message. */
  readonly id: string;
  readonly type: EventType;
  readonly store_id: string;
  readonly livemode: boolean;
  /** Grows with each event of a store and mode. */
  readonly sequence: number;
  /** The time is in RFC 3339, in UTC. */
  readonly created_at: string;
  /** The event as JSON, in the same bytes that webhooks send. */
  readonly body: string;
}

/** The options for handing events to a message broker. */
export interface RelayOptions extends Omit<ConsumeOptions, "giveUpAfterMs" | "alertAs"> {
  /**
   * Hands the event to the broker and resolves when the broker has stored it. When
   * it throws, or takes longer than `timeoutMs`, it is called again with the same
   * event after 1 s. The pause doubles up to 30 s. `signal` aborts when the time is
   * over.
   */
  readonly publish: (event: RelayedEvent, signal: AbortSignal) => unknown;
  /** The number of stores that are relayed at once. Default 16. */
  readonly concurrency?: number | undefined;
  /** Limits one call of `publish`, in milliseconds, from 1 to 15,000. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

export const leaseMs = 30_000;
export const longestRetryMs = 30_000;
const longestTimeoutMs = 15_000;

/**
 * Hands every event to a broker, at least once and with its own id. A store and
 * mode has a single message under way at any time, so that the broker stores its
 * events in order. Stores are relayed side by side. Processes that give the same
 * consumer share the stores. The stores of a process that died go on 30 s later.
 * Resolves when `signal` has aborted and the running calls of `publish` have ended.
 * Throws `invalid_option` for a wrong option.
 */
export async function relayEvents(ctx: ConsumeContext, options: RelayOptions): Promise<void> {
  requireOptions(options, "relayEvents");
  refuseWrongOptions(options, {
    ...sharedKinds,
    publish: true,
    concurrency: true,
    timeoutMs: true,
  });
  checkConsumer(options);
  const { publish } = options;
  if (typeof publish !== "function")
    invalidOption("publish", "is missing: pass the function that hands an event to your broker");
  const concurrency = wholeNumber("concurrency", options.concurrency ?? 16, 1_000);
  const timeoutMs = wholeNumber("timeoutMs", options.timeoutMs ?? 10_000, longestTimeoutMs);
  ctx.names.add(options.consumer);

  const handling: EventHandling = {
    ...whatToHandle(options),
    handle: (event) => publishInTime(event, publish, timeoutMs),
    // The rest of the lease is longer than one call of `publish` may take.
    confirmAfterMs: leaseMs / 3,
    leaseMs,
    longestRetryMs,
    where: "relayEvents",
  };
  await relayStores(ctx, handling, concurrency);
}

function wholeNumber(name: string, value: number, most: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    invalidOption(name, `must be a whole number from 1 to ${most}`);
  return value;
}

/** Leases one store after another while places are free, until the signal aborts. */
async function relayStores(
  ctx: ConsumeContext,
  handling: EventHandling,
  concurrency: number,
): Promise<void> {
  const { signal } = handling;
  const running = new Set<Promise<void>>();
  let woken = new AbortController();

  const start = (leased: LeasedWork): void => {
    const lane = handleWork(ctx, leased, handling).finally(() => {
      running.delete(lane);
      // The store may have more events than one lease brings.
      woken.abort();
    });
    running.add(lane);
  };

  while (!signal.aborted) {
    woken = new AbortController();
    const stopListening = ctx.onCommit(() => woken.abort());

    try {
      const leased = running.size < concurrency ? await leaseWork(ctx, handling) : null;
      if (leased) start(leased);
      else await sleep(idleMs, signal, woken.signal);
    } finally {
      stopListening();
    }
  }
  await Promise.all(running);
}

function publishInTime(
  event: KeptEvent,
  publish: RelayOptions["publish"],
  timeoutMs: number,
): Promise<unknown> {
  const { id, type, store_id, livemode, sequence, body } = event;
  const created_at = iso(event.created_at);
  const relayed = { id, type, store_id, livemode, sequence, created_at, body };

  const stop = new AbortController();
  const published = (async () => publish(relayed, stop.signal))();
  return timeBox(published, timeoutMs, () => {
    const late = new Error(`publish took longer than ${timeoutMs} ms for event ${id}`);
    stop.abort(late);
    throw late;
  });
}
