import { deliveriesRecovered } from "../../rules/audit/audit-changes.ts";
import type { AuditedChange } from "../../rules/audit/audit-records.ts";
import { orderOfEvent } from "../../rules/owner/list-records.ts";
import type { EventRecord } from "../../rules/records.ts";
import { recordOf, restarted, type StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import type { DeliveryRecord } from "../../rules/webhooks/webhook-records.ts";
import type { EventQuery } from "../../storage/reads/listing-store.ts";
import type {
  DeliveryPlace,
  DeliveryQuery,
  Recovery,
  WebhookStore,
} from "../../storage/webhook-store.ts";
import { by, type Compare, has, isCreatedIn, isIn, pageOf } from "../page.ts";

// Each function selects from all rows of a kind, for a storage that holds them in memory.

/** Selects events for their owner, the newest first. */
export function selectEvents(
  events: Iterable<EventRecord>,
  query: EventQuery,
): readonly EventRecord[] {
  const { type, order_id } = query;
  const found = [...events].filter(
    (event) =>
      isIn(query, event) &&
      has(event, { type }) &&
      isCreatedIn(query, event) &&
      (order_id === undefined || (event.body !== null && orderOfEvent(event.body) === order_id)),
  );
  return pageOf(found, by("-created_at", "-sequence"), query);
}

/** Lists the events of a store and mode, in their order, for a program that reads all of them. */
export function eventsAfter(
  stored: readonly EventRecord[],
  { after, limit }: { readonly after?: string; readonly limit: number },
): Awaited<ReturnType<WebhookStore["listEvents"]>> {
  const at = after === undefined ? -1 : stored.findIndex(({ id }) => id === after);
  if (after !== undefined && at === -1) return { outcome: "unknown_cursor" };

  const later = stored.slice(at + 1);
  if (at !== -1 && later.some(({ body }) => body === null)) return { outcome: "cursor_expired" };
  const events = later.filter(({ body }) => body !== null).slice(0, limit + 1);
  return { outcome: "listed", events };
}

const newestFirst: Compare<DeliveryPlace> = by("-created_at", "-event_id", "-endpoint_id");

/** Selects deliveries, the newest first. */
export function selectDeliveries(
  deliveries: Iterable<StoredDelivery>,
  query: DeliveryQuery,
): readonly DeliveryRecord[] {
  const { endpoint_id, event_id, state, before } = query;
  const found = [...deliveries].filter(
    (delivery) => isIn(query, delivery) && has(delivery, { endpoint_id, event_id, state }),
  );
  return pageOf(found, newestFirst, { ...query, after: before }).map(recordOf);
}

/** What a recovery writes, gives, and tells the audit log. */
interface Recovered {
  readonly restarted: readonly StoredDelivery[];
  readonly result: Awaited<ReturnType<WebhookStore["recoverDeliveries"]>>;
  readonly change: AuditedChange | null;
}

/** Chooses the deliveries that a recovery sends once more, the newest first. */
export function recoverable(
  deliveries: Iterable<StoredDelivery>,
  bodyOf: (delivery: StoredDelivery) => string | null,
  recovery: Recovery,
): Recovered {
  const { endpoint_id, since, until, states, before, limit, now } = recovery;
  const found = [...deliveries].filter(
    (delivery) =>
      isIn(recovery, delivery) &&
      delivery.endpoint_id === endpoint_id &&
      delivery.created_at >= since &&
      delivery.created_at <= until &&
      states.some((state) => state === delivery.state) &&
      bodyOf(delivery),
  );
  const chosen = pageOf(found, newestFirst, { after: before, limit });
  const last = chosen.length < limit ? undefined : chosen.at(-1);
  const place = last && { created_at: last.created_at, event_id: last.event_id, endpoint_id };
  return {
    restarted: chosen.map((delivery) => ({ ...delivery, ...restarted(now) })),
    result: { recovered: chosen.length, before: place ?? null },
    change: chosen.length > 0 ? deliveriesRecovered(recovery) : null,
  };
}
