import type { AuditedChange } from "../../rules/audit/audit-records.ts";
import type { MemoryState } from "../state.ts";

/** Stores the entry of a change. Call it in the turn of the change. */
export function noteChange({ audit, author }: MemoryState, change: AuditedChange): void {
  const entry = author?.entryOf(change);
  if (!entry) return;

  const key = `${entry.store_id}\n${entry.id}`;
  if (change.kind === "counts" || !audit.has(key)) audit.set(key, entry);
}
