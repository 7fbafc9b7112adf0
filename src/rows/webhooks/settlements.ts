import { type StatChange, statOfDelivery } from "../../rules/owner/stats.ts";
import type { AlertRecord, Partition } from "../../rules/records.ts";
import {
  type StoredDelivery,
  settledDelivery,
  settleOutcomeOf,
} from "../../rules/webhooks/deliveries.ts";
import { type EndpointHealth, healthy, judgeEndpoint } from "../../rules/webhooks/health.ts";
import type {
  AttemptLog,
  DeliveryKey,
  EndpointRecord,
  Settled,
  Settlement,
  SettleOutcome,
} from "../../rules/webhooks/webhook-records.ts";
import { settlementsOfHealth } from "../../rules/webhooks/worker-lost.ts";

/** Deliveries and the health of endpoints, in a storage that holds all its rows. */
export interface SettlementRows {
  deliveryOf(key: DeliveryKey): StoredDelivery | null;
  put(delivery: StoredDelivery): void;
  addLog(log: AttemptLog): void;
  addStat(partition: Partition, change: StatChange): void;
  endpointOf(endpoint_id: string): EndpointRecord | null;
  putEndpoint(endpoint: EndpointRecord): void;
  /** Gives the failures since the last success. Null means that there are none. */
  healthOf(endpoint_id: string): EndpointHealth | null;
  putHealth(endpoint_id: string, health: EndpointHealth): void;
  /** Stores an alert, whatever was told before, and a notice that is due at `now`. */
  tell(alert: AlertRecord, now: number): void;
}

/** Settles a batch: each delivery for itself, then the health of each endpoint once. */
export function settleBatch(
  rows: SettlementRows,
  settlements: readonly Settlement[],
  now: number,
): Settled {
  const outcomes = settlements.map((settlement) => settle(rows, settlement, now));
  const counted = settlementsOfHealth(settlements, outcomes);

  const ids = [...new Set(counted.map(({ endpoint_id }) => endpoint_id))];
  const disabled = ids.filter((id) => {
    const ofEndpoint = counted.filter(({ endpoint_id }) => endpoint_id === id);
    return disablesEndpoint(rows, id, ofEndpoint, now);
  });
  return { outcomes, disabled };
}

function settle(rows: SettlementRows, settlement: Settlement, now: number): SettleOutcome {
  const delivery = rows.deliveryOf(settlement);
  const settled = delivery && settledDelivery(delivery, settlement, now);
  if (!settled) return settleOutcomeOf(settlement, undefined);

  const { store_id, endpoint_id, event_id, log } = settlement;
  rows.put(settled);
  rows.addLog({ ...log, store_id, endpoint_id, event_id, attempt: settled.attempts });
  rows.addStat(settled, statOfDelivery(log));
  return settleOutcomeOf(settlement, settled.state);
}

/** Records what these outcomes say about the endpoint. Gives true when they disable it. */
function disablesEndpoint(
  rows: SettlementRows,
  id: string,
  settlements: readonly Settlement[],
  now: number,
): boolean {
  const before = rows.endpointOf(id);
  if (before?.state !== "enabled") return false;

  const decision = judgeEndpoint(before, rows.healthOf(id) ?? healthy, settlements, now);
  const { health, endpoint, alert, isDisabled } = decision;
  rows.putHealth(id, health);
  if (alert) rows.tell(alert, now);
  if (isDisabled) rows.putEndpoint(endpoint);
  return isDisabled;
}
