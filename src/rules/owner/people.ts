import type { DashboardSessionRecord, PersonRecord } from "./dashboard-records.ts";
import { type FoundRecord, foundRecord } from "./record-kinds.ts";

/**
 * The row of a person is no session: no secret opens it. What the person makes, and each
 * session of the person, is made in it and ends with it.
 */
const prefix = "psn_";

/** Says whether a row is that of a person. The hashes of sessions are hexadecimal. */
export const isPersonId = (hash: string | null): hash is string =>
  hash?.startsWith(prefix) ?? false;

/** Makes an id of 16 random bytes, which a passkey can hold beside the id of the store. */
export const personId = (random: string): string => prefix + random;

/** Reads the person of a row. Gives null for the row of a session. */
export function personOf(row: DashboardSessionRecord | null): PersonRecord | null {
  if (!row?.person) return null;
  const { session_hash: id, actor: name, person, expires_at, ...rest } = row;
  return { ...rest, ...person, id, name };
}

/** The end of a person's row, which only an end by hand brings: the last day of year 9999. */
const never = Date.UTC(9999, 11, 31);

/** Gives the row of a person. */
export const rowOfPerson = ({
  id,
  name,
  last_seen_at,
  passkeys,
  ...rest
}: PersonRecord): DashboardSessionRecord => ({
  ...rest,
  session_hash: id,
  actor: name,
  expires_at: never,
  person: { last_seen_at, passkeys },
});

/** What a step of a person asks about the other people of the store. */
interface AskedPerson {
  readonly id: string;
  readonly unique?: string;
  readonly parent_id?: string | null;
}

/**
 * Gives what a step of a person finds among the rows of its store. The unique value is a
 * name, or the id of a passkey; the parent is the person who has invited this one.
 */
export function foundPerson(
  rows: Iterable<DashboardSessionRecord>,
  { id, unique, parent_id = null }: AskedPerson,
  owner_exists: boolean,
): FoundRecord<"person"> {
  const people = [...rows].flatMap((row) => personOf(row) ?? []);
  const others = people.filter((other) => other.id !== id);
  const parent = people.find((person) => person.id === parent_id) ?? null;
  const asked = unique?.toLowerCase();
  return foundRecord<"person">({
    owner_exists,
    record: people.find((person) => person.id === id) ?? null,
    is_taken: others.some(
      ({ name, passkeys }) =>
        name.toLowerCase() === asked || passkeys.some((passkey) => passkey.id === unique),
    ),
    parent,
    parent_exists: parent_id === null || parent !== null,
    others: others.length,
  });
}
