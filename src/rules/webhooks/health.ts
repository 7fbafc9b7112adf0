import { hourMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import type { AlertRecord } from "../records.ts";
import type { EndpointRecord, Settlement } from "./webhook-records.ts";

export const warnAfterMs = 24 * hourMs;
export const disableAfterMs = 72 * hourMs;
export const disableAfterAttempts = 20;

/** The failures of an endpoint since its last success. */
export interface EndpointHealth {
  /** Null while nothing has failed since the last success. */
  readonly failing_since: number | null;
  readonly failed_attempts: number;
  /**
   * The event that failed first. When another event fails too, the endpoint is broken, and not only
   * that one event.
   */
  readonly failed_event: string | null;
  readonly several_events: boolean;
  readonly warned: boolean;
}

/** The health of an endpoint that has not failed since its last success. */
export const healthy: EndpointHealth = {
  failing_since: null,
  failed_attempts: 0,
  failed_event: null,
  several_events: false,
  warned: false,
};

/** What the outcomes of deliveries mean for their endpoint. */
export interface HealthDecision {
  readonly health: EndpointHealth;
  /** The endpoint as it is from now on. */
  readonly endpoint: EndpointRecord;
  readonly isDisabled: boolean;
  /** The alert to raise. It is null when there is none. */
  readonly alert: AlertRecord | null;
}

/**
 * Judges an enabled endpoint by its new outcomes. It is disabled after 72 hours
 * without a success, 20 failed attempts and two failed events; its owner is warned
 * after 24 hours.
 */
export function judgeEndpoint(
  endpoint: EndpointRecord,
  before: EndpointHealth,
  settlements: readonly Settlement[],
  now: number,
): HealthDecision {
  const health = healthAfter(before, settlements, now);
  const verdict = verdictOn(health, now);
  if (verdict === null) return { health, endpoint, isDisabled: false, alert: null };

  const alert: AlertRecord = {
    id: settlements.find(({ delivered }) => !delivered)?.alert_id ?? "",
    created_at: now,
    store_id: endpoint.store_id,
    livemode: endpoint.livemode,
    type: verdictAlerts[verdict],
    subject: endpoint.id,
    data: {
      failing_since: iso(health.failing_since ?? now),
      failed_attempts: health.failed_attempts,
    },
  };
  if (verdict === "warn")
    return { health: { ...health, warned: true }, endpoint, isDisabled: false, alert };

  const disabled = { ...endpoint, state: "disabled", disabled_reason: "failing" } as const;
  return { health, endpoint: disabled, isDisabled: true, alert };
}

/**
 * Tells whether the change resets the endpoint's health. An owner who enables a
 * disabled endpoint has looked after it, so failures count from zero.
 */
export const resetsHealth = (
  before: Pick<EndpointRecord, "state">,
  after: Pick<EndpointRecord, "state">,
): boolean => before.state === "disabled" && after.state === "enabled";

const verdictAlerts = { disable: "endpoint_disabled", warn: "endpoint_failing" } as const;

function healthAfter(
  before: EndpointHealth,
  settlements: readonly Settlement[],
  now: number,
): EndpointHealth {
  // One success proves that the endpoint works, wherever it stands in the batch.
  if (settlements.some(({ delivered }) => delivered)) return healthy;

  const first = before.failed_event ?? settlements[0]?.event_id ?? null;
  return {
    failing_since: before.failing_since ?? now,
    failed_attempts: before.failed_attempts + settlements.length,
    failed_event: first,
    several_events: before.several_events || settlements.some(({ event_id }) => event_id !== first),
    warned: before.warned,
  };
}

function verdictOn(health: EndpointHealth, now: number): keyof typeof verdictAlerts | null {
  const { failing_since, failed_attempts, several_events, warned } = health;
  if (failing_since === null) return null;

  const failingMs = now - failing_since;
  if (failingMs >= disableAfterMs && failed_attempts >= disableAfterAttempts && several_events)
    return "disable";

  return failingMs >= warnAfterMs && !warned ? "warn" : null;
}
