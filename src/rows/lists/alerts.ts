import type { StoredAlert } from "../../rules/owner/list-records.ts";
import type { AlertRecord } from "../../rules/records.ts";
import type { AlertQuery } from "../../storage/types.ts";
import { afterId, by, has, isIn, pageOf } from "../page.ts";

/** Selects the alerts of a store, the newest first. */
export function selectAlerts(
  alerts: Iterable<StoredAlert>,
  store_id: string,
  { livemode, acknowledged, ...query }: AlertQuery,
): readonly StoredAlert[] {
  const found = [...alerts].filter(
    (alert) =>
      has(alert, { store_id, livemode }) &&
      (acknowledged ?? alert.acknowledged_at !== null) === (alert.acknowledged_at !== null),
  );
  return pageOf(found, by("-id"), { ...query, after: afterId(query.before) });
}

/**
 * Says whether an alert is raised, and what is stored of it. Another one of the same store, mode,
 * type and subject that was stored at or after `unless_since` stands for it. A repeated call gives
 * the first answer.
 */
export function judgeAlert(
  alerts: Iterable<StoredAlert>,
  alert: AlertRecord,
  unless_since: number,
): { readonly raised: boolean; readonly put: StoredAlert | null } {
  const { type, subject } = alert;
  const sameMode = [...alerts].filter((other) => isIn(alert, other));
  if (sameMode.some(({ id }) => id === alert.id)) return { raised: true, put: null };

  const isKnown = sameMode.some(
    (other) => has(other, { type, subject }) && other.created_at >= unless_since,
  );
  if (isKnown) return { raised: false, put: null };
  return { raised: true, put: { ...alert, acknowledged_at: null, acknowledged_by: null } };
}
