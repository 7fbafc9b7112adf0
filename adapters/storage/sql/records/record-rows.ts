import type { FoundRecord, RecordKind, RecordsByKind } from "#core/rules/owner/record-kinds.ts";
import type { RecordSubject } from "#core/storage/record-store.ts";
import type { QueryGenerator } from "../engine/queries.ts";

/** How the database keeps the records of one kind. */
export interface RecordRows<Kind extends RecordKind> {
  /** Locks what the subject names, and reads it. */
  load(subject: RecordSubject<Kind>): QueryGenerator<FoundRecord<Kind>>;
  /**
   * Writes the record. Gives false when another process has written one meanwhile,
   * which no lock could hold off: the step begins again.
   */
  put(record: RecordsByKind[Kind], before: RecordsByKind[Kind] | null): QueryGenerator<boolean>;
  /** Deletes the record. Kinds that are never deleted have none. */
  remove?(record: RecordsByKind[Kind]): QueryGenerator<void>;
}
