import type { FoundRecord, RecordKind, RecordsByKind } from "../../rules/owner/record-kinds.ts";
import type { RecordSubject } from "../../storage/record-store.ts";

/** How the records of one kind are kept. */
export interface RecordRows<Kind extends RecordKind> {
  load(subject: RecordSubject<Kind>): FoundRecord<Kind>;
  put(record: RecordsByKind[Kind], before: RecordsByKind[Kind] | null): void;
  /** Deletes the record. Kinds that are never deleted have none. */
  remove?(record: RecordsByKind[Kind]): void;
}
