import { type EventType, eventTypes, type WebhookEvent } from "../contract/events.ts";
import { sleep } from "../domain/async/sleep.ts";
import { nearestName } from "../domain/text/nearest.ts";
import {
  invalidOption,
  type OptionNames,
  requireOptions,
  requireSignal,
} from "../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../input/option-kinds.ts";
import { type FailureContext, settleFailure } from "./consumer-failure.ts";
import { requireConsumer } from "./consumer-name.ts";
import {
  type EventHandling,
  type EventWorkContext,
  handleWork,
  idleMs,
  leaseWork,
} from "./drain/event-work.ts";

/** The options for handing events to code in this process. */
export interface ConsumeOptions {
  /**
   * Names the cursor, in 1 to 100 characters. Processes that give the same name
   * share the work.
   */
  readonly consumer: string;
  /** Only these event types are handled. By default all are. */
  readonly types?: readonly EventType[] | undefined;
  /** Only this store is consumed. By default all are. */
  readonly store_id?: string | undefined;
  /** An abort ends the consumption once the running handler has ended. */
  readonly signal: AbortSignal;
  /**
   * An event that is older than this when its handler throws is passed over, and told to
   * `onError`. By default it is tried again without an end.
   */
  readonly giveUpAfterMs?: number | undefined;
  /**
   * Names the consumer in alerts to the stores' owners: `consumer_failing` when an event has failed
   * for an hour, `event_given_up` when one is passed over. By default none is raised.
   */
  readonly alertAs?: string | undefined;
}

/** What a consumer and a relay have in common. */
export type SharedOptions = Omit<ConsumeOptions, "giveUpAfterMs" | "alertAs">;

export interface ConsumeContext extends EventWorkContext, FailureContext {
  /**
   * The name of each consumer whose options are right is added here, so that the
   * metrics show its lag.
   */
  readonly names: Set<string>;
  /**
   * Calls `wake` at each commit in this process. Gives a function that stops the
   * listening.
   */
  onCommit(wake: () => void): () => void;
}

type Handler = (event: WebhookEvent) => void | Promise<void>;

/**
 * Calls the handler in the host's own process: at least once for each event, in
 * order within a store and mode. After a crash it goes on where the cursor stands.
 * When the handler throws, it is called again with the same event after 1 s. The
 * pause doubles up to 5 min, and other stores go on meanwhile; `giveUpAfterMs` ends
 * that, and `alertAs` tells the owners. Processes that share
 * a consumer never handle one event at the same time. Resolves when `signal`
 * aborts.
 */
export async function consumeEvents(
  ctx: ConsumeContext,
  options: ConsumeOptions,
  handler: Handler,
): Promise<void> {
  requireOptions(options, "consumeEvents");
  refuseWrongOptions(options, consumeKinds);
  checkConsumer(options);
  const { giveUpAfterMs, alertAs } = options;
  if (giveUpAfterMs !== undefined && !(giveUpAfterMs > 0))
    invalidOption("giveUpAfterMs", "must be milliseconds above 0");
  if (alertAs !== undefined && (typeof alertAs !== "string" || alertAs === ""))
    invalidOption("alertAs", "must be a name that owners know");
  if (typeof handler !== "function")
    invalidOption("handler", "is missing: pass the function that takes an event");
  const { signal } = options;
  ctx.names.add(options.consumer);
  const handling: EventHandling = {
    ...whatToHandle(options),
    async handle({ body }) {
      const event = JSON.parse(body) as WebhookEvent;
      try {
        await handler(event);
      } catch (error) {
        const where = `consumeEvents:${options.consumer}`;
        await settleFailure(ctx, { event, error, where, giveUpAfterMs, alertAs });
      }
    },
    confirmAfterMs: 0,
    leaseMs: 60_000,
    longestRetryMs: 300_000,
    where: "consumeEvents",
  };

  while (!signal.aborted) {
    const woken = new AbortController();
    const stopListening = ctx.onCommit(() => woken.abort());

    try {
      const leased = await leaseWork(ctx, handling);
      if (leased) await handleWork(ctx, leased, handling);
      else await sleep(idleMs, signal, woken.signal);
    } finally {
      stopListening();
    }
  }
}

export const sharedKinds: OptionNames<SharedOptions, OptionKind> = {
  consumer: true,
  types: "list",
  store_id: "string",
  signal: true,
};
const consumeKinds: OptionNames<ConsumeOptions, OptionKind> = {
  ...sharedKinds,
  giveUpAfterMs: true,
  alertAs: true,
};

/** Checks the options that `consumeEvents` and `relayEvents` share. */
export function checkConsumer({ consumer, types, signal }: SharedOptions): void {
  requireConsumer(consumer);

  for (const type of types ?? []) if (!eventTypes.includes(type)) refuseType(String(type));

  requireSignal(signal);
}

function refuseType(type: string): never {
  const nearest = nearestName(type, eventTypes);
  const hint = nearest === null ? "" : `, did you mean ${nearest}?`;
  invalidOption("types", `must hold event types: ${type} is not one${hint}`);
}

export function whatToHandle({
  consumer,
  types,
  store_id,
  signal,
}: SharedOptions): Pick<EventHandling, "consumer" | "store_id" | "wants" | "signal"> {
  const wanted = types && new Set(types);
  return {
    consumer,
    store_id: store_id ?? null,
    wants: ({ type }) => !wanted || wanted.has(type),
    signal,
  };
}
