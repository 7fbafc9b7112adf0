import type {
  AuditAuthor,
  AuditedChange,
  AuditRecord,
  AuditSubject,
} from "../rules/audit/audit-records.ts";
import type { AgeOrder, CreatedRange } from "./reads/listing-store.ts";

/**
 * Selects the entries of the audit log that a list shows. A filter that is left out matches every
 * entry.
 */
export interface AuditQuery extends CreatedRange, AgeOrder {
  readonly store_id: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: AuditSubject;
  /** Names the last entry that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly id: string };
  readonly limit: number;
}

/** Stores what actors did. Steps that name an author write it. */
export interface AuditStore {
  /** Lists entries, the newest first by time, then by id. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>;
  /** Stores the entry of a change that no step makes. Without an author nothing is stored. */
  note(change: AuditedChange, author?: AuditAuthor): Promise<void>;
  /** Deletes about `limit` entries from before this time, and gives how many. */
  prune(before: number, limit: number): Promise<number>;
}
