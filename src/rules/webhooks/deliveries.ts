import type { EventDraft } from "../records.ts";
import { wantedTexts } from "./told-agent.ts";
import type {
  DeliveryRecord,
  DeliveryState,
  EndpointRecord,
  Settlement,
  SettleOutcome,
} from "./webhook-records.ts";

/** A delivery with what the storage keeps for its workers. */
export interface StoredDelivery extends DeliveryRecord {
  /**
   * Set while a worker holds the delivery. On a due delivery it is the token
   * of a lost lease.
   */
  readonly lease_token: string | null;
  /** The number of attempts of the schedule that have failed. */
  readonly failures: number;
  /** The number of leases in a row that ended without an outcome. */
  readonly lost_leases: number;
  /**
   * The state before a resend, which a failed resend restores. It is null
   * without a resend.
   */
  readonly resume_state: DeliveryState | null;
  /** The `due_at` before a resend. It is null without a resend. */
  readonly resume_due: number | null;
}

/** Gives a delivery without what the storage keeps for its workers. */
export function recordOf(delivery: StoredDelivery): DeliveryRecord {
  const { lease_token, failures, lost_leases, resume_state, resume_due, ...record } = delivery;
  return record;
}

const unleased = {
  lease_token: null,
  lost_leases: 0,
  resume_state: null,
  resume_due: null,
} as const;

/**
 * Tells whether an endpoint wants an event: one of its types, every event without a list of types,
 * and only those of its own orders when the endpoint is an agent's.
 */
export function wantsEvent(
  endpoint: Pick<EndpointRecord, "agent" | "event_types">,
  { type, agent }: Pick<EventDraft, "type" | "agent">,
): boolean {
  const wanted = wantedTexts(endpoint);
  return !wanted || wanted.includes(type) || (agent !== undefined && wanted.includes(agent));
}

/**
 * Makes a new event's delivery. It is `skipped` while the endpoint is disabled. It names each
 * field, because V8 adds those after a spread one by one.
 */
export const firstDelivery = (
  endpoint: Pick<EndpointRecord, "store_id" | "livemode" | "id" | "state">,
  event: Pick<DeliveryRecord, "event_id" | "event_type" | "created_at">,
): StoredDelivery => ({
  event_id: event.event_id,
  event_type: event.event_type,
  created_at: event.created_at,
  lease_token: null,
  lost_leases: 0,
  resume_state: null,
  resume_due: null,
  store_id: endpoint.store_id,
  livemode: endpoint.livemode,
  endpoint_id: endpoint.id,
  state: endpoint.state === "enabled" ? "pending" : "skipped",
  attempts: 0,
  failures: 0,
  due_at: event.created_at,
  updated_at: event.created_at,
});

/** Gives a delivery under a lease. One whose lease had ended without an outcome counts as lost. */
export const leased = (
  delivery: StoredDelivery,
  lease_until: number,
  lease_token: string,
): StoredDelivery => ({
  ...delivery,
  due_at: lease_until,
  lease_token,
  lost_leases: delivery.lease_token === null ? delivery.lost_leases : delivery.lost_leases + 1,
});

/**
 * Skips a pending delivery whose endpoint is disabled or deleted. One that had ended and waits to
 * be sent again gets its earlier state back. The SQL storages decide the same in `skippedColumns`.
 */
export const skipped = (delivery: StoredDelivery, now: number): StoredDelivery => {
  const { resume_state, resume_due, due_at } = delivery;
  const state = resume_state === null || resume_state === "pending" ? "skipped" : resume_state;
  return { ...delivery, ...unleased, state, due_at: resume_due ?? due_at, updated_at: now };
};

/** Gives the changes of a final delivery that gets a whole new schedule. */
export const restarted = (now: number) =>
  ({ ...unleased, state: "pending", due_at: now, failures: 0, updated_at: now }) as const;

/**
 * Gives the delivery after a send. It gives null when the settlement must not be
 * recorded: a failure counts only from the lease's holder, a success from anyone.
 * The SQL storages decide the same within the one statement that settles a batch.
 */
export function settledDelivery(
  delivery: StoredDelivery,
  settlement: Settlement,
  now: number,
): StoredDelivery | null {
  if (delivery.state === "delivered") return null;

  const { attempts, failures, resume_state, resume_due } = delivery;
  const ended = { ...delivery, ...unleased, attempts: attempts + 1, updated_at: now };
  if (settlement.delivered) return { ...ended, state: "delivered" };

  const isHeld = delivery.state === "pending" && delivery.lease_token === settlement.lease_token;
  if (!isHeld) return null;

  if (resume_state !== null)
    return { ...ended, state: resume_state, due_at: resume_due ?? delivery.due_at };

  return settlement.due_at === null
    ? { ...ended, failures: failures + 1, state: "exhausted" }
    : { ...ended, failures: failures + 1, due_at: settlement.due_at };
}

/**
 * Gives the outcome of a settlement. `state` is the delivery's state after the
 * settlement. It is undefined when nothing was recorded.
 */
export function settleOutcomeOf(
  settlement: Settlement,
  state: DeliveryState | undefined,
): SettleOutcome {
  if (state === undefined) return "lease_lost";
  if (settlement.delivered) return "delivered";
  return state === "pending" ? "rescheduled" : "exhausted";
}
