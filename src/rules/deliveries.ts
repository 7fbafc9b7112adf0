import type { DeliveryState, Settlement, SettleOutcome } from "./webhook-records.ts";

/**
 * After this many leases in a row that ended without an outcome, a delivery is charged with a
 * failed attempt instead of being sent: its sending may be what ends the workers.
 */
const maxLostLeases = 5;

const workerLostError = "worker_lost";

const workerLostOutcome = {
  ok: false,
  status: null,
  error: workerLostError,
  snippet: null,
  duration_ms: 0,
} as const;

/** The outcome of a delivery that is no longer sent, because it has lost too many leases. */
export const workerLost = (delivery: {
  readonly lost_leases: number;
}): typeof workerLostOutcome | null =>
  delivery.lost_leases >= maxLostLeases ? workerLostOutcome : null;

/** `state` is the delivery's state after the settlement; undefined when it changed nothing. */
export function settleOutcomeOf(
  settlement: Settlement,
  state: DeliveryState | undefined,
): SettleOutcome {
  if (state === undefined) return "lease_lost";
  if (settlement.delivered) return "delivered";
  return state === "pending" ? "rescheduled" : "exhausted";
}

/**
 * The settlements that say something about their endpoint: recorded ones whose request was
 * really made.
 */
export const settlementsOfHealth = (
  settlements: readonly Settlement[],
  outcomes: readonly SettleOutcome[],
): readonly Settlement[] =>
  settlements.filter(
    ({ log }, index) => outcomes[index] !== "lease_lost" && log.error !== workerLostError,
  );
