import { linkCreated, sessionEnded } from "../rules/audit-changes.ts";
import type { DashboardSessionRecord } from "../rules/dashboard-records.ts";
import type { DashboardRef, DashboardStore } from "../storage/dashboard-store.ts";
import { noteChange } from "./note-change.ts";
import type { MemoryState } from "./state.ts";

const maxSessions = 100;

const keyOf = (store_id: string, id: string): string => `${store_id}\n${id}`;

/** Finds a row by its hash. Gives null for one that is past its time. */
function find<Row extends { readonly expires_at: number }>(
  rows: ReadonlyMap<string, Row>,
  { store_id, hash }: DashboardRef,
  now: number,
): Row | null {
  const row = rows.get(keyOf(store_id, hash));
  return row && row.expires_at > now ? row : null;
}

export function memoryDashboard(state: MemoryState): DashboardStore {
  const { links, sessions, forms } = state.dashboard;

  return {
    async createLink(link) {
      if (!state.access.stores.has(link.store_id)) return { outcome: "unknown_store" };

      links.set(keyOf(link.store_id, link.link_hash), link);
      noteChange(state, linkCreated(link));
      return { outcome: "created" };
    },

    findLink: async (link, now) => find(links, link, now),

    async spendLink(ref, { session_hash, expires_at }, now) {
      const link = find(links, ref, now);
      if (!link) return { outcome: "unknown" };

      const { store_id, actor, access } = link;
      const opened = { store_id, session_hash, actor, access, created_at: now, expires_at };
      links.delete(keyOf(store_id, link.link_hash));
      sessions.set(keyOf(store_id, session_hash), opened);
      return { outcome: "opened", session: opened };
    },

    findSession: async (session, now) => find(sessions, session, now),

    listSessions: async (store_id, now) =>
      [...sessions.values()]
        .filter((session) => session.store_id === store_id && session.expires_at > now)
        .sort(newestFirst)
        .slice(0, maxSessions),

    async endSession({ store_id, hash }) {
      const key = keyOf(store_id, hash);
      const session = sessions.get(key);
      if (!session) return false;

      sessions.delete(key);
      noteChange(state, sessionEnded(session));
      return true;
    },

    async takeForm(form) {
      const key = keyOf(form.store_id, form.form_id);
      if (forms.has(key)) return { outcome: "repeated" };

      forms.set(key, form);
      return { outcome: "taken" };
    },
  };
}

const newestFirst = (a: DashboardSessionRecord, b: DashboardSessionRecord): number =>
  b.created_at - a.created_at || (a.session_hash < b.session_hash ? -1 : 1);
