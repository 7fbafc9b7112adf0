import { judgeAlert, selectAlerts } from "../../rows/lists/alerts.ts";
import { has, isIn } from "../../rows/page.ts";
import type { AlertRecord, Partition } from "../../rules/records.ts";
import type { AccessStore } from "../../storage/types.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

type Alerts = Pick<AccessStore, "raiseAlert" | "listAlerts">;

export const memoryAlerts = (state: MemoryState): Alerts => ({
  raiseAlert: async (alert, unless_since) => ({ raised: addAlert(state, alert, unless_since) }),
  listAlerts: async (store_id, query) => selectAlerts(state.access.alerts, store_id, query),
});

/** Stores an alert, unless another one stands for it. Gives whether it is raised. */
export function addAlert(state: MemoryState, alert: AlertRecord, unless_since: number): boolean {
  const { alerts } = state.access;
  const { raised, put } = judgeAlert(alerts, alert, unless_since);
  if (put) alerts.push(put);
  return raised;
}

/** Stores an alert once, and a notice that is due until the host's callback has taken it. */
export function raiseAlert(state: MemoryState, alert: AlertRecord, due_at: number): void {
  if (addAlert(state, alert, 0)) putNotice(state, alert, due_at);
}

export const putNotice = ({ webhooks }: MemoryState, alert: AlertRecord, due_at: number): void =>
  void webhooks.notices.set(rowKey(alert, alert.id), { alert, due_at });

/** Deletes an alert that is not true any more, with its notice. */
export function withdrawAlert(
  { access: { alerts }, webhooks }: MemoryState,
  partition: Partition,
  named: Pick<AlertRecord, "type" | "subject">,
): void {
  const { type, subject } = named;
  for (const [index, alert] of [...alerts.entries()].reverse()) {
    if (!isIn(partition, alert) || !has(alert, { type, subject })) continue;
    alerts.splice(index, 1);
    webhooks.notices.delete(rowKey(alert, alert.id));
  }
}
