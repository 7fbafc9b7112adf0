import type { FoundRecord, RecordKind, RecordsByKind } from "../../rules/owner/record-kinds.ts";
import type { RecordSubject } from "../../storage/record-store.ts";

/** How the records of one kind are kept. */
export interface RecordRows<Kind extends RecordKind> {
  load(subject: RecordSubject<Kind>): FoundRecord<Kind>;
  put(record: RecordsByKind[Kind], before: RecordsByKind[Kind] | null): void;
  /** Deletes the record. Kinds that are never deleted have none. */
  remove?(record: RecordsByKind[Kind]): void;
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
