import type { DashboardAction } from "../../owner/actions.ts";
import type { PersonRecord } from "../../rules/owner/dashboard-records.ts";
import { isPersonId } from "../../rules/owner/people.ts";
import { type DashboardAccess, isWithin, limitRights, may, readRights } from "./access.ts";

export type Bound = Pick<DashboardAccess, "access"> | undefined;

/**
 * Says whether a person may do more than someone, who then may neither change that person nor let
 * them in again. Nobody stands above the host's own code.
 */
export const isAbove = ({ access }: PersonRecord, by: Bound): boolean =>
  by !== undefined && !isWithin(readRights(access), by.access);

/** Gives the people whom a person has invited, those whom they have invited, and so on. */
export function invitedBy(people: readonly PersonRecord[], id: string): readonly PersonRecord[] {
  const found = people.filter(({ made_in }) => made_in === id);
  // The list grows while the loop runs over it.
  for (const each of found) found.push(...people.filter(({ made_in }) => made_in === each.id));
  return found;
}

/** A reason for which nobody is ended. */
export type EndRefusal = "unknown" | "ender" | "above" | "inviter" | "above_invited";

/** The people who stay when a person ends, and the names of those who end. */
export type JudgedEnd =
  | EndRefusal
  | { readonly stay: readonly PersonRecord[]; readonly makers: ReadonlySet<string | null> };

interface AskedEnd {
  readonly id: string;
  readonly keep: readonly string[];
  readonly by: Bound;
  /** The session or person of the one who ends the person. */
  readonly maker: string | null;
}

/** Decides over the people of a store, as they are, whether a person ends. */
export function judgeEnd(
  people: readonly PersonRecord[],
  { id, keep, maker, ...asked }: AskedEnd,
): JudgedEnd {
  const person = people.find((each) => each.id === id);
  if (!person) return "unknown";

  // A person of the list may have lost rights since the request came.
  const own = people.find((each) => each.id === maker) ?? null;
  const by = isPersonId(maker) ? boundBy(own, "people.end", asked.by) : asked.by;
  if (by === null) return "ender";
  if (isAbove(person, by)) return "above";
  const theirs = invitedBy(people, id);
  if (theirs.some((each) => each.id === maker)) return "inviter";

  const stay = theirs.filter((each) => keep.includes(each.id));
  const others = people.filter((each) => !stay.includes(each));
  const gone = invitedBy(others, id);
  if (gone.some((each) => isAbove(each, by))) return "above_invited";
  if (stay.some((each) => isAbove(each, by))) return "above";
  return { stay, makers: new Set([person, ...gone].map(({ name }) => name)) };
}

/**
 * Limits someone's rights to those that the person has now. Gives null when these no longer allow
 * the action.
 */
export function boundBy(
  person: PersonRecord | null,
  action: DashboardAction,
  by: Bound,
): Bound | null {
  const own = readRights(person?.access ?? []);
  if (!may({ actor: "", stores: [], access: own }, action)) return null;
  return by && { access: limitRights(by.access, own) };
}
