import type { AuditAuthor, Written } from "../../rules/audit/audit-records.ts";
import type { MemoryState } from "../state.ts";

/** Stores the author's entry of what a step has written, in its turn, and gives the result. */
export function written<Result>(
  { audit }: MemoryState,
  { result, change }: Written<Result>,
  author: AuditAuthor | undefined,
): Result {
  const entry = change && author?.entryOf(change);
  if (!entry) return result;

  const key = `${entry.store_id}\n${entry.id}`;
  if (change.kind === "counts" || !audit.has(key)) audit.set(key, entry);
  return result;
}
