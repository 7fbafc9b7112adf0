import { statOfDelivery } from "../../rules/owner/stats.ts";
import { settledDelivery, settleOutcomeOf } from "../../rules/webhooks/deliveries.ts";
import { healthy, judgeEndpoint } from "../../rules/webhooks/health.ts";
import type { Settled, Settlement, SettleOutcome } from "../../rules/webhooks/webhook-records.ts";
import { settlementsOfHealth } from "../../rules/webhooks/worker-lost.ts";
import { addAlert } from "../access/alerts.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { addStat } from "../stats.ts";
import { deliveryKey, putDelivery } from "./webhook-state.ts";

export function settleDeliveries(
  state: MemoryState,
  settlements: readonly Settlement[],
  now: number,
): Settled {
  const outcomes = settlements.map((settlement) => settle(state, settlement, now));
  const counted = settlementsOfHealth(settlements, outcomes);

  const ids = [...new Set(counted.map(({ endpoint_id }) => endpoint_id))];
  const disabled = ids.filter((id) => {
    const ofEndpoint = counted.filter(({ endpoint_id }) => endpoint_id === id);
    return disablesEndpoint(state, id, ofEndpoint, now);
  });
  return { outcomes, disabled };
}

function settle(state: MemoryState, settlement: Settlement, now: number): SettleOutcome {
  const { webhooks } = state;
  const key = deliveryKey(settlement);
  const delivery = webhooks.deliveries.get(key);
  const settled = delivery && settledDelivery(delivery, settlement, now);
  if (!settled) return settleOutcomeOf(settlement, undefined);

  const { store_id, endpoint_id, event_id, log } = settlement;
  const attempt = { ...log, store_id, endpoint_id, event_id, attempt: settled.attempts };
  webhooks.attempts.set(key, [...(webhooks.attempts.get(key) ?? []), attempt]);
  putDelivery(webhooks, settled);
  addStat(state, settled, statOfDelivery(log));
  return settleOutcomeOf(settlement, settled.state);
}

/** Records what these outcomes say about the endpoint. Gives true when they disable it. */
function disablesEndpoint(
  state: MemoryState,
  id: string,
  settlements: readonly Settlement[],
  now: number,
): boolean {
  const { failing, endpoints, notices } = state.webhooks;
  const before = endpoints.get(id);
  if (before?.state !== "enabled") return false;

  const decision = judgeEndpoint(before, failing.get(id) ?? healthy, settlements, now);
  const { health, endpoint, alert, isDisabled } = decision;
  if (health.failing_since === null) failing.delete(id);
  else failing.set(id, health);

  if (alert) {
    addAlert(state, alert, now + 1);
    notices.set(rowKey(alert, alert.id), { alert, due_at: now });
  }
  if (isDisabled) endpoints.set(id, endpoint);
  return isDisabled;
}
