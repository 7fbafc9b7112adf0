import type {
  DashboardFormRecord,
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "../../rules/owner/dashboard-records.ts";

/** Holds the dashboard's rows, each by its store and its hash or id. */
export interface DashboardState {
  readonly links: Map<string, DashboardLinkRecord>;
  readonly sessions: Map<string, DashboardSessionRecord>;
  readonly forms: Map<string, DashboardFormRecord>;
}

export const createDashboardState = (): DashboardState => ({
  links: new Map(),
  sessions: new Map(),
  forms: new Map(),
});

/** Deletes at most `limit` rows of each kind that are past their time, and gives how many. */
export function purgeDashboard(state: DashboardState, now: number, limit: number): number {
  let deleted = 0;
  for (const rows of [state.links, state.sessions, state.forms]) {
    const old = [...rows].filter(([, row]) => row.expires_at <= now).slice(0, limit);
    for (const [key] of old) rows.delete(key);
    deleted += old.length;
  }
  return deleted;
}
