import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import type { WebhookEvent } from "../../contract/events.ts";
import type { Page } from "../../contract/routes.ts";
import { base64url, fromBase64url } from "../../domain/keys/hash.ts";
import { iso } from "../../domain/text/iso.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { check, checkId } from "../../input/check.ts";
import { foreignId, pageSize } from "../../input/fields.ts";
import type { Partition } from "../../rules/records.ts";
import {
  type AttemptLog,
  type DeliveryRecord,
  type DeliveryState,
  deliveryStates,
} from "../../rules/webhooks/webhook-records.ts";
import { resendDelivery } from "../../steps/webhooks/delivery-steps.ts";
import type { DeliveryPlace } from "../../storage/webhook-store.ts";
import { notFound, type OwnerContext } from "../context.ts";
import { ageOrder, sortField } from "../listing.ts";
import { readPage } from "../page.ts";
import { payloadOf } from "./events.ts";

/** One event on its way to one endpoint. */
export interface Delivery extends Partition {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: DeliveryState;
  /** Counts the attempts that have an outcome, resends included. */
  readonly attempts: number;
  /**
   * The time of the next attempt, in ISO 8601, in UTC. Null once the state is final. While the
   * delivery is being sent, another worker may take it over then.
   */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One try to deliver an event, and what the receiver answered. */
export interface DeliveryAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** A time in ISO 8601, in UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** The HTTP status. It is null when there was no answer. */
  readonly status: number | null;
  /**
   * The class of the error. It is null when the receiver accepted the
   * delivery.
   */
  readonly error: string | null;
  /** The first 1 KiB of the receiver's answer at most. */
  readonly snippet: string | null;
}

export const DeliveryQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  endpoint_id: foreignId.nullish(),
  event_id: foreignId.nullish(),
  state: z.enum(deliveryStates).nullish(),
  ...sortField,
  limit: pageSize.nullish(),
  starting_after: z.string().max(1_000).nullish(),
});
/**
 * Selects the deliveries of a list. `starting_after` takes the `next_cursor` of the
 * page before. A page has 20 rows unless `limit` (1 to 100) says otherwise.
 */
export interface DeliveryQuery extends z.input<typeof DeliveryQuery> {}

// A row of `list` names its delivery too, so that its other fields are passed over.
const DeliveryRef = z.object({
  store_id: foreignId,
  livemode: z.boolean(),
  endpoint_id: foreignId,
  event_id: foreignId,
});

/** Names one delivery of a store, as a row of `list` does. */
export interface DeliveryRef extends z.input<typeof DeliveryRef> {}

/** A delivery with the body that is sent. */
export interface DeliveryDetails extends Delivery {
  /**
   * The receiver gets this, as it was written. It is null once the event's bytes
   * were pruned.
   */
  readonly payload: WebhookEvent | null;
}

/** Reads and resends the webhook deliveries of a store. */
export interface OwnerDeliveries {
  /** Lists deliveries, the newest first. `sort: "oldest"` reverses the list. */
  list(query: DeliveryQuery): Promise<Page<Delivery>>;
  /**
   * Reads a delivery. Throws `resource_not_found` for a delivery of another store
   * or mode.
   */
  retrieve(delivery: DeliveryRef): Promise<DeliveryDetails>;
  /** Lists the outcome of each attempt, the oldest first. */
  attempts(delivery: DeliveryRef): Promise<readonly DeliveryAttempt[]>;
  /**
   * Sends the delivery once more with the next drain, whatever its state. The retry
   * schedule does not count this attempt: after a failure the delivery has its
   * former state. Throws `invalid_transition` while the endpoint is disabled, and
   * after the event's bytes were pruned.
   */
  resend(delivery: DeliveryRef): Promise<Delivery>;
}

export const renderDelivery = ({
  due_at,
  created_at,
  updated_at,
  ...delivery
}: DeliveryRecord): Delivery => ({
  ...delivery,
  next_attempt_at: delivery.state === "pending" ? iso(due_at) : null,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
});

const renderAttempt = ({
  attempt,
  started_at,
  duration_ms,
  status,
  error,
  snippet,
}: AttemptLog): DeliveryAttempt => ({
  attempt,
  started_at: iso(started_at),
  duration_ms,
  status,
  error,
  snippet,
});

export function createDeliveries(ctx: OwnerContext): OwnerDeliveries {
  const { webhooks, records } = ctx.storage;

  return {
    async list(query) {
      const { limit = null, starting_after, ...checked } = check(DeliveryQuery, query);
      const { store_id, livemode, endpoint_id, event_id, state } = checked;

      const before = readCursor(starting_after ?? null);
      const filters = {
        store_id,
        livemode,
        ...(endpoint_id && { endpoint_id }),
        ...(event_id && { event_id }),
        ...(state && { state }),
        ...(before && { before }),
        ...ageOrder(checked),
      };

      const readRows = async (range: { limit: number }) => {
        const rows = await webhooks.listDeliveries({ ...filters, limit: range.limit });
        return rows.map((row) => ({ id: cursorOf(row), row }));
      };
      return readPage({ limit }, readRows, ({ row }) => renderDelivery(row));
    },

    async retrieve(delivery) {
      const { store_id, livemode, endpoint_id, event_id } = check(DeliveryRef, delivery);
      const partition = { store_id, livemode };

      const reference = { ...partition, endpoint_id, event_id, limit: 1 };
      const [known] = await webhooks.listDeliveries(reference);
      if (!known) return notFound(ctx, store_id, "event_id");

      const event = await ctx.storage.lists.findEvent(partition, event_id);
      return { ...renderDelivery(known), payload: event && payloadOf(event) };
    },

    async attempts(delivery) {
      const { store_id, endpoint_id, event_id, livemode } = check(DeliveryRef, delivery);

      const reference = { store_id, livemode, endpoint_id, event_id };
      const [known] = await webhooks.listDeliveries({ ...reference, limit: 1 });
      if (!known) return notFound(ctx, store_id, "event_id");

      const attempts = await webhooks.listAttempts({ store_id, endpoint_id, event_id });
      return attempts.map(renderAttempt);
    },

    async resend(delivery) {
      const { store_id, livemode, endpoint_id, event_id } = check(DeliveryRef, delivery);
      const key = {
        endpoint_id: checkId("endpoint_id", endpoint_id),
        event_id: checkId("event_id", event_id),
      };

      const result = await resendDelivery(records, { store_id, livemode }, key, ctx.now());
      switch (result.outcome) {
        case "unknown":
          return notFound(ctx, store_id, "event_id");
        case "endpoint_disabled":
          return fail("invalid_transition", {
            param: "endpoint_id",
            message: "The endpoint is disabled or gone: enable it first.",
          });
        case "event_pruned":
          return fail("invalid_transition", {
            param: "event_id",
            message: "The event's bytes have been pruned: nothing is left to send.",
          });
        default:
          ctx.due();
          return renderDelivery(result.delivery);
      }
    },
  };
}

const utf8 = new TextEncoder();

const cursorOf = ({ created_at, event_id, endpoint_id }: DeliveryPlace): string =>
  base64url(utf8.encode(JSON.stringify([created_at, event_id, endpoint_id])));

function readCursor(cursor: string | null): DeliveryPlace | null {
  if (cursor === null) return null;
  return decodeCursor(cursor) ?? fail("invalid_cursor", { param: "starting_after" });
}

function decodeCursor(cursor: string): DeliveryPlace | null {
  const bytes = fromBase64url(cursor);
  if (!bytes) return null;

  try {
    const text = new TextDecoder().decode(bytes);
    const [created_at, event_id, endpoint_id]: unknown[] = JSON.parse(text);
    if (!Number.isSafeInteger(created_at)) return null;
    if (typeof event_id !== "string" || typeof endpoint_id !== "string") return null;

    if (!isCleanText(event_id + endpoint_id)) return null;

    return { created_at: Number(created_at), event_id, endpoint_id };
  } catch {
    return null;
  }
}
