import type { AuditRecord } from "../../rules/audit/audit-records.ts";
import type { AuditQuery, AuditStore } from "../../storage/audit-store.ts";
import type { MemoryState } from "../state.ts";
import { written } from "./written.ts";

export const memoryAudit = (state: MemoryState): AuditStore => ({
  list: async (query) =>
    [...state.audit.values()]
      .filter((entry) => matches(entry, query))
      .sort(newestFirst)
      .slice(0, query.limit),

  note: async (change, author) => written(state, { result: undefined, change }, author),

  async prune(before, limit) {
    const old = [...state.audit].filter(([, entry]) => entry.created_at < before).slice(0, limit);
    for (const [key] of old) state.audit.delete(key);
    return old.length;
  },
});

type Place = Pick<AuditRecord, "created_at" | "id">;

function newestFirst(one: Place, other: Place): number {
  if (one.created_at !== other.created_at) return other.created_at - one.created_at;
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}

const matches = (entry: AuditRecord, query: AuditQuery): boolean =>
  entry.store_id === query.store_id &&
  (query.actor === undefined || entry.actor === query.actor) &&
  (query.action === undefined || entry.action === query.action) &&
  (query.subject === undefined ||
    (entry.subject.type === query.subject.type && entry.subject.id === query.subject.id)) &&
  (query.created_from === undefined || entry.created_at >= query.created_from) &&
  (query.created_to === undefined || entry.created_at < query.created_to) &&
  (query.after === undefined || newestFirst(query.after, entry) < 0);
