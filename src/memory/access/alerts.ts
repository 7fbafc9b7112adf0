import { compareIds } from "../../domain/sort.ts";
import type { AlertRecord } from "../../rules/records.ts";
import type { AccessStore } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";

type Alerts = Pick<AccessStore, "raiseAlert" | "listAlerts">;

export function memoryAlerts(state: MemoryState): Alerts {
  const { alerts } = state.access;

  return {
    raiseAlert: async (alert, unless_since) => ({ raised: addAlert(state, alert, unless_since) }),

    listAlerts: async (store_id, { livemode, acknowledged: wanted, before, limit }) =>
      alerts
        .filter(
          (alert) =>
            alert.store_id === store_id &&
            (livemode === undefined || alert.livemode === livemode) &&
            (wanted === undefined || (alert.acknowledged_at !== null) === wanted) &&
            (before === null || alert.id < before),
        )
        .sort((a, b) => compareIds(b, a))
        .slice(0, limit),
  };
}

/**
 * Stores an alert. Gives false when another one of the same store, mode, type and
 * subject was stored at or after `unless_since`. A repeated call gives the first
 * answer.
 */
export function addAlert(state: MemoryState, alert: AlertRecord, unless_since: number): boolean {
  const { alerts } = state.access;
  const sameMode = alerts.filter(
    (other) => other.store_id === alert.store_id && other.livemode === alert.livemode,
  );
  if (sameMode.some((other) => other.id === alert.id)) return true;

  const isKnown = sameMode.some(
    (other) =>
      other.type === alert.type &&
      other.subject === alert.subject &&
      other.created_at >= unless_since,
  );
  if (!isKnown) alerts.push({ ...alert, acknowledged_at: null, acknowledged_by: null });
  return !isKnown;
}
