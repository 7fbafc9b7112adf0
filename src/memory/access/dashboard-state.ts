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

/** Deletes the rows that are past their time, and gives how many. */
export function purgeDashboard(state: DashboardState, now: number): number {
  let deleted = 0;
  for (const rows of [state.links, state.sessions, state.forms]) {
    for (const [key, row] of rows) {
      if (row.expires_at > now) continue;
      rows.delete(key);
      deleted += 1;
    }
  }
  return deleted;
}
