import type { PersonRecord } from "../rules/owner/dashboard-records.ts";
import type { RecordStore, RecordSubject } from "../storage/record-store.ts";
import type { RecordName } from "./record-steps.ts";

/** The most people that a store has. */
export const mostPeople = 100;

const subjectOf = (step: string, { store_id, id }: RecordName): RecordSubject<"person"> => ({
  on: "person",
  step,
  store_id,
  id,
  may: "change",
});

/** What became of a person who was invited. */
type Invited = "invited" | "unknown_store" | "unknown_maker" | "name_taken" | "limit" | "refused";

/** The person of the list who makes or changes another one. Null for any other maker. */
type Maker = PersonRecord | null;

/** Stores a person whom the maker may invite now. A repeat of the call changes nothing. */
export const invitePerson = (
  records: RecordStore,
  person: PersonRecord,
  isAllowed: (maker: Maker) => boolean = () => true,
): Promise<Invited> => {
  const subject: RecordSubject<"person"> = {
    ...subjectOf("invitePerson", person),
    may: "make",
    unique: person.name,
    parent_id: person.made_in,
    most: mostPeople,
  };
  return records.step<"person", Invited>(subject, (found) => {
    if (!found.owner_exists) return { result: "unknown_store" };
    if (!found.parent_exists) return { result: "unknown_maker" };
    if (found.record) return { result: "invited" };
    if (!isAllowed(found.parent ?? null)) return { result: "refused" };
    if (found.is_taken) return { result: "name_taken" };
    if (found.others >= mostPeople) return { result: "limit" };
    return { result: "invited", after: person };
  });
};

/** A change of a person, which says what it needs to know and how the record goes on. */
interface PersonChange {
  readonly step: string;
  /** The id of a passkey that no other person may have. */
  readonly unique?: string;
  /** The id of the one who makes the change, where that is a person of the list. */
  readonly maker?: string | null;
  /** Gives the record from now on. Null changes nothing. */
  change(person: PersonRecord, isTaken: boolean, maker: Maker): PersonRecord | null;
}

/** Changes a person. Gives the record from then on, and null for one who is not there. */
export const changePerson = (
  records: RecordStore,
  name: RecordName,
  { step, unique, maker = null, change }: PersonChange,
): Promise<PersonRecord | null> =>
  records.step<"person", PersonRecord | null>(
    { ...subjectOf(step, name), parent_id: maker, ...(unique !== undefined && { unique }) },
    ({ record, is_taken, parent = null }) => {
      if (record === null) return { result: null };
      const after = change(record, is_taken, parent);
      return after === null ? { result: record } : { result: after, after };
    },
  );
