import { iso } from "../contract/render.ts";
import type { Partition } from "../storage/records.ts";
import type { DeliveryState } from "../storage/webhook-store.ts";
import type { OwnerContext } from "./context.ts";

export interface Delivery extends Partition {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: DeliveryState;
  /** Attempts with an outcome so far. */
  readonly attempts: number;
  /** ISO 8601 UTC; null once the state is final. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface DeliveryAttempt {
  readonly attempt: number;
  /** ISO 8601 UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  /** Error class, null when the receiver took it. */
  readonly error: string | null;
  /** At most 1 KiB of the receiver's answer. */
  readonly snippet: string | null;
}

export interface OwnerDeliveries {
  /** Newest first, at most 100. */
  list(
    query: Partition & { readonly endpoint_id?: string; readonly event_id?: string; readonly state?: DeliveryState },
  ): Promise<readonly Delivery[]>;
  attempts(key: {
    readonly store_id: string;
    readonly endpoint_id: string;
    readonly event_id: string;
  }): Promise<readonly DeliveryAttempt[]>;
}

export function createDeliveries(ctx: OwnerContext): OwnerDeliveries {
  const { webhooks } = ctx.storage;
  return {
    list: async (query) =>
      (await webhooks.listDeliveries({ ...query, limit: 100 })).map(({ due_at, created_at, updated_at, ...delivery }) => ({
        ...delivery,
        next_attempt_at: delivery.state === "pending" ? iso(due_at) : null,
        created_at: iso(created_at),
        updated_at: iso(updated_at),
      })),
    attempts: async (key) =>
      (await webhooks.listAttempts(key)).map(({ attempt, started_at, duration_ms, status, error, snippet }) => ({
        attempt,
        started_at: iso(started_at),
        duration_ms,
        status,
        error,
        snippet,
      })),
  };
}
