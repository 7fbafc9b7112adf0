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

/** What a subject finds that asks neither for a unique value, nor a parent, nor a number. */
export const found = <Kind extends RecordKind>(
  of: Pick<FoundRecord<Kind>, "record"> & Partial<FoundRecord<Kind>>,
): FoundRecord<Kind> => ({
  owner_exists: true,
  is_taken: false,
  parent_exists: true,
  others: 0,
  ...of,
});
