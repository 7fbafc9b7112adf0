import { selectAudit } from "../../rows/lists/office.ts";
import type { AuditStore } from "../../storage/audit-store.ts";
import type { MemoryState } from "../state.ts";
import { written } from "./written.ts";

export const memoryAudit = (state: MemoryState): AuditStore => ({
  list: async (query) => selectAudit(state.audit.values(), query),

  note: async (change, author) => written(state, { result: undefined, change }, author),

  async prune(before, limit) {
    const old = [...state.audit].filter(([, entry]) => entry.created_at < before).slice(0, limit);
    for (const [key] of old) state.audit.delete(key);
    return old.length;
  },
});
