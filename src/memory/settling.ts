import { diagnose, endpointAlert, failingReason, healthy } from "../rules/health.ts";
import type { Settlement, SettleOutcome } from "../rules/webhook-records.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";
import { addAlert } from "./alerts.ts";
import { type MemoryState, rowKey } from "./state.ts";
import { deliveryKey, putDelivery } from "./webhooks.ts";

type Steps = Pick<WebhookStore, "settleDeliveries" | "claimNotices" | "settleNotice">;

export function memorySettling(state: MemoryState): Steps {
  const { notices } = state.webhooks;
  return {
    async settleDeliveries(settlements, now) {
      const outcomes = settlements.map((settlement) => settle(state, settlement, now));
      const counted = settlements.filter(
        ({ log }, index) => outcomes[index] !== "lease_lost" && log.error !== "worker_lost",
      );
      const ids = [...new Set(counted.map(({ endpoint_id }) => endpoint_id))];
      const disabled = ids.filter((id) =>
        judge(
          state,
          id,
          counted.filter(({ endpoint_id }) => endpoint_id === id),
          now,
        ),
      );
      return { outcomes, disabled };
    },
    async claimNotices({ now, lease_until, limit }) {
      const due = [...notices].filter(([, notice]) => notice.due_at <= now).slice(0, limit);
      for (const [key, { alert }] of due) notices.set(key, { alert, due_at: lease_until });
      return due.map(([, { alert }]) => alert);
    },
    async settleNotice(alert, taken, now) {
      const key = rowKey(alert, alert.id);
      if (taken) notices.delete(key);
      else if (notices.has(key)) notices.set(key, { alert, due_at: now });
    },
  };
}

function settle(state: MemoryState, settlement: Settlement, now: number): SettleOutcome {
  const { store_id, endpoint_id, event_id, delivered, due_at, lease_token } = settlement;
  const key = deliveryKey(settlement);
  const delivery = state.webhooks.deliveries.get(key);
  if (!delivery || delivery.state === "delivered") return "lease_lost";
  const holds = delivery.state === "pending" && delivery.lease_token === lease_token;
  if (!delivered && !holds) return "lease_lost";
  const attempt = delivery.attempts + 1;
  const logs = state.webhooks.attempts.get(key) ?? [];
  state.webhooks.attempts.set(key, [
    ...logs,
    { ...settlement.log, store_id, endpoint_id, event_id, attempt },
  ]);
  const base = {
    ...delivery,
    attempts: attempt,
    lease_token: null,
    lost_leases: 0,
    resumes: null,
    updated_at: now,
  };
  if (delivered) {
    putDelivery(state, { ...base, state: "delivered" });
    return "delivered";
  }
  const { resumes, failures } = delivery;
  const next = resumes
    ? { ...base, ...resumes }
    : {
        ...base,
        failures: failures + 1,
        ...(due_at === null ? { state: "exhausted" as const } : { due_at }),
      };
  putDelivery(state, next);
  return next.state === "pending" ? "rescheduled" : "exhausted";
}

/** True when these outcomes disable the endpoint. */
function judge(
  state: MemoryState,
  id: string,
  settlements: readonly Settlement[],
  now: number,
): boolean {
  const { ailing, endpoints, notices } = state.webhooks;
  const endpoint = endpoints.get(id);
  if (endpoint?.state !== "enabled") return false;
  const { health, verdict } = diagnose(ailing.get(id) ?? healthy, settlements, now);
  if (health.failing_since === null) ailing.delete(id);
  else ailing.set(id, health);
  if (verdict === null) return false;
  const alert_id = settlements.find(({ delivered }) => !delivered)?.alert_id ?? "";
  const alert = endpointAlert(endpoint, verdict, health, { id: alert_id, created_at: now });
  addAlert(state, alert, now + 1);
  notices.set(rowKey(alert, alert.id), { alert, due_at: now });
  if (verdict === "disable")
    endpoints.set(id, { ...endpoint, state: "disabled", disabled_reason: failingReason });
  return verdict === "disable";
}
