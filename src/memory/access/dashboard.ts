import { selectLinks, selectSignIns, unlessPast } from "../../rows/lists/office.ts";
import {
  linkCreated,
  linkEnded,
  linkSpent,
  personChanged,
  sessionEnded,
} from "../../rules/audit/audit-changes.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "../../rules/owner/dashboard-records.ts";
import { isPersonId, personOf, rowOfPerson } from "../../rules/owner/people.ts";
import type { DashboardRef, DashboardStore, SessionEnding } from "../../storage/dashboard-store.ts";
import type { MemoryState } from "../state.ts";
import { written } from "./written.ts";

const keyOf = (store_id: string, id: string): string => `${store_id}\n${id}`;

/** Finds a row by its hash. Gives null for one that is past its time. */
function find<Row extends { readonly expires_at: number }>(
  rows: ReadonlyMap<string, Row>,
  { store_id, hash }: DashboardRef,
  now: number,
): Row | null {
  return unlessPast(rows.get(keyOf(store_id, hash)), now);
}

export function memoryDashboard(state: MemoryState): DashboardStore {
  const { links, sessions, forms } = state.dashboard;

  return {
    async createLink(link, author) {
      if (!state.access.stores.has(link.store_id)) return { outcome: "unknown_store" };

      const { store_id, made_in, created_at } = link;
      if (made_in !== null && !find(sessions, { store_id, hash: made_in }, created_at))
        return { outcome: "unknown_session" };

      links.set(keyOf(link.store_id, link.link_hash), link);
      return written(state, { result: { outcome: "created" }, change: linkCreated(link) }, author);
    },

    findLink: async (link, now) => find(links, link, now),

    listLinks: async (page, now) => selectLinks(links.values(), page, now),

    async endLink(ref, now, author) {
      const link = find(links, ref, now);
      if (!link) return false;

      links.delete(keyOf(ref.store_id, ref.hash));
      return written(state, { result: true, change: linkEnded(link) }, author);
    },

    async spendLink(ref, { session_hash, expires_at }, now, author) {
      const link = find(links, ref, now);
      if (!link) return { outcome: "unknown" };

      const { link_hash, ...pass } = link;
      const opened = { ...pass, session_hash, created_at: now, expires_at };
      links.delete(keyOf(link.store_id, link_hash));
      sessions.set(keyOf(link.store_id, session_hash), opened);
      const result = { outcome: "opened", session: opened } as const;
      return written(state, { result, change: linkSpent(opened) }, author);
    },

    findSession: async (session, now) => find(sessions, session, now),

    listSessions: async (store_id, now, of) =>
      selectSignIns(sessions.values(), { store_id, of }, now),

    async endSession({ store_id, hash, decide }, author) {
      const session = sessions.get(keyOf(store_id, hash));
      if (!session) return false;
      if (decide && !writeDecidedEnd(state, session, decide)) return false;

      endChain(state, session);
      return written(state, { result: true, change: sessionEnded(session) }, author);
    },

    async takeForm(form) {
      const key = keyOf(form.store_id, form.form_id);
      if (forms.has(key)) return { outcome: "repeated" };

      forms.set(key, form);
      return { outcome: "taken" };
    },
  };
}

/** Writes who stays and which links end. Gives false when the decision is that nobody ends. */
function writeDecidedEnd(
  state: MemoryState,
  session: DashboardSessionRecord,
  decide: NonNullable<SessionEnding["decide"]>,
): boolean {
  const { store_id } = session;
  const { links, sessions } = state.dashboard;
  const rows = [...sessions.values()].filter((row) => row.store_id === store_id);
  const people = rows.flatMap((row) => personOf(row) ?? []);
  const end = personOf(session) && decide(people);
  if (!end) return false;

  for (const { person, author } of end.kept) {
    sessions.set(keyOf(store_id, person.id), rowOfPerson(person));
    written(state, { result: true, change: personChanged(people, person) }, author);
  }
  for (const [key, link] of links)
    if (link.store_id === store_id && isPersonId(link.made_in) && end.endsLink(link))
      links.delete(key);
  return true;
}

/** Ends a session, its links, and the sessions that its links have opened, and so on. */
function endChain({ dashboard }: MemoryState, first: DashboardSessionRecord): void {
  const { links, sessions } = dashboard;
  const ended = [first];
  // The list grows while the loop runs over it.
  for (const { store_id, session_hash } of ended) {
    const isOf = (made: DashboardLinkRecord | DashboardSessionRecord): boolean =>
      made.store_id === store_id && made.made_in === session_hash;
    sessions.delete(keyOf(store_id, session_hash));
    for (const [key, link] of links) if (isOf(link)) links.delete(key);
    for (const session of sessions.values()) if (isOf(session)) ended.push(session);
  }
}
