import type { AlertRecord, Partition } from "./records.ts";
import { iso } from "./render.ts";

const hour = 3_600_000;
const warnAfterMs = 24 * hour;
const disableAfterMs = 72 * hour;
const disableAfterAttempts = 20;

/** What an endpoint's failures since its last success amount to. */
export interface EndpointHealth {
  /** Null while nothing has failed since the last success. */
  readonly failing_since: number | null;
  readonly failed_attempts: number;
  /** The first of the failed events: a second one tells a broken endpoint from one bad event. */
  readonly failed_event: string | null;
  readonly several_events: boolean;
  readonly warned: boolean;
}

export const healthy: EndpointHealth = {
  failing_since: null,
  failed_attempts: 0,
  failed_event: null,
  several_events: false,
  warned: false,
};

export interface Outcome {
  readonly event_id: string;
  readonly delivered: boolean;
}

export interface Diagnosis {
  readonly health: EndpointHealth;
  /** CONTRACT 7: disabled after 72 h without a success, 20 failed attempts and 2 events; the owner is warned at 24 h. */
  readonly verdict: "disable" | "warn" | null;
}

export function diagnose(
  before: EndpointHealth,
  outcomes: readonly Outcome[],
  now: number,
): Diagnosis {
  // One success proves the endpoint alive, wherever in the batch it stands.
  if (outcomes.some(({ delivered }) => delivered)) return { health: healthy, verdict: null };
  const events = new Set(outcomes.map(({ event_id }) => event_id));
  const first = before.failed_event ?? outcomes[0]?.event_id ?? null;
  const health: EndpointHealth = {
    failing_since: before.failing_since ?? now,
    failed_attempts: before.failed_attempts + outcomes.length,
    failed_event: first,
    several_events: before.several_events || [...events].some((id) => id !== first),
    warned: before.warned,
  };
  const failingMs = now - (health.failing_since ?? now);
  if (
    failingMs >= disableAfterMs &&
    health.failed_attempts >= disableAfterAttempts &&
    health.several_events
  )
    return { health, verdict: "disable" };
  if (failingMs >= warnAfterMs && !health.warned)
    return { health: { ...health, warned: true }, verdict: "warn" };
  return { health, verdict: null };
}

const alertTypes = { disable: "endpoint_disabled", warn: "endpoint_failing" } as const;
/** `disabled_reason` of an endpoint that was disabled here. */
export const failingReason = "failing";

export const endpointAlert = (
  endpoint: Partition & { readonly id: string },
  verdict: keyof typeof alertTypes,
  health: EndpointHealth,
  alert: Pick<AlertRecord, "id" | "created_at">,
): AlertRecord => ({
  ...alert,
  store_id: endpoint.store_id,
  livemode: endpoint.livemode,
  type: alertTypes[verdict],
  subject: endpoint.id,
  data: {
    failing_since: iso(health.failing_since ?? alert.created_at),
    failed_attempts: health.failed_attempts,
  },
});
