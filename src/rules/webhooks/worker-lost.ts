import type { Settlement, SettleOutcome } from "./webhook-records.ts";

/**
 * The number of leases in a row without an outcome after which a delivery is charged with a failed
 * attempt instead of being sent: its sending may be what ends the workers.
 */
export const maxLostLeases = 5;

const error = "worker_lost";
const outcome = { ok: false, status: null, error, snippet: null, duration_ms: 0 } as const;

/**
 * Gives the outcome of a delivery that has lost too many leases to be sent. Null
 * means that the delivery is to be sent.
 */
export const workerLost = ({
  lost_leases,
}: {
  readonly lost_leases: number;
}): typeof outcome | null => (lost_leases >= maxLostLeases ? outcome : null);

/**
 * Selects the settlements that tell something about their endpoint: they were
 * recorded, and their request was really made.
 */
export const settlementsOfHealth = (
  settlements: readonly Settlement[],
  outcomes: readonly SettleOutcome[],
): readonly Settlement[] =>
  settlements.filter(({ log }, index) => outcomes[index] !== "lease_lost" && log.error !== error);
