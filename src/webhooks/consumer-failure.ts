import type { WebhookEvent } from "../contract/events.ts";
import { dayMs, hourMs } from "../domain/durations.ts";
import type { AlertRecord } from "../rules/records.ts";
import type { AccessStore } from "../storage/types.ts";

/** What reporting a failure works with. */
export interface FailureContext {
  readonly alerts: Pick<AccessStore, "raiseAlert">;
  now(): number;
  newAlertId(): string;
  onAlert(alert: AlertRecord): void;
  onError(error: unknown, where: string): void;
}

/** An event that a consumer could not handle, with the options of `consumeEvents`. */
interface Failure {
  readonly giveUpAfterMs: number | undefined;
  readonly alertAs: string | undefined;
  readonly event: WebhookEvent;
  readonly error: unknown;
  /** Names the consumer in reports of errors. */
  readonly where: string;
}

/** The time between two alerts of a consumer that goes on failing, in a store and mode. */
const quietMs = dayMs;

/** Raises the alerts of an event that was not handled. Throws its error, unless it is given up. */
export async function settleFailure(ctx: FailureContext, failure: Failure): Promise<void> {
  const { event, error, where, alertAs, giveUpAfterMs = Number.POSITIVE_INFINITY } = failure;
  const now = ctx.now();
  const age = now - Date.parse(event.created_at);
  const isGivenUp = age >= giveUpAfterMs;

  if (alertAs !== undefined && (isGivenUp || age >= hourMs)) {
    const { id: event_id, type: event_type, store_id, livemode, data } = event;
    const alert: AlertRecord = {
      id: ctx.newAlertId(),
      store_id,
      livemode,
      type: isGivenUp ? "event_given_up" : "consumer_failing",
      subject: alertAs,
      data: { event_id, event_type, ...("order" in data && { order_id: data.order?.id }) },
      created_at: now,
    };
    const { raised } = await ctx.alerts.raiseAlert(alert, now - quietMs + 1);
    if (raised) ctx.onAlert(alert);
  }

  if (!isGivenUp) throw error;
  ctx.onError(new Error(`${event.id} is given up`, { cause: error }), where);
}
