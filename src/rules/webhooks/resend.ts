import { recordOf, type StoredDelivery } from "./deliveries.ts";
import type { DeliveryRecord, EndpointRecord } from "./webhook-records.ts";

export type ResendResult =
  | { readonly outcome: "queued" | "in_flight"; readonly delivery: DeliveryRecord }
  | { readonly outcome: "unknown" | "endpoint_disabled" | "event_pruned" };

export interface ResendDecision {
  readonly result: ResendResult;
  /** The delivery to write. It is null when nothing changes. */
  readonly queued: StoredDelivery | null;
}

/** A delivery with what a resend of it depends on. */
export interface ResendSubject {
  readonly delivery: StoredDelivery;
  /** Null when the endpoint was deleted. */
  readonly endpoint: Pick<EndpointRecord, "state"> | null;
  /** The event's bytes. It is null when they were pruned. */
  readonly body: string | null;
}

/** Decides one send now, outside the schedule. When it fails, the delivery is again what it was. */
export function decideResend(subject: ResendSubject | null, now: number): ResendDecision {
  const refuse = (result: ResendResult): ResendDecision => ({ result, queued: null });
  if (!subject) return refuse({ outcome: "unknown" });

  const { delivery, endpoint, body } = subject;
  if (endpoint?.state !== "enabled") return refuse({ outcome: "endpoint_disabled" });
  if (body === null) return refuse({ outcome: "event_pruned" });

  const { state, lease_token, due_at, resume_state, resume_due } = delivery;
  if (state === "pending" && lease_token !== null && due_at > now)
    return refuse({ outcome: "in_flight", delivery: recordOf(delivery) });

  const queued: StoredDelivery = {
    ...delivery,
    state: "pending",
    due_at: now,
    lease_token: null,
    resume_state: resume_state ?? state,
    resume_due: resume_due ?? due_at,
    updated_at: now,
  };
  return { result: { outcome: "queued", delivery: recordOf(queued) }, queued };
}
