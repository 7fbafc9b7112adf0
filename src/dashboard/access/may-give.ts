import type { DashboardAction } from "../../owner/actions.ts";
import type { PersonRecord } from "../../rules/owner/dashboard-records.ts";
import { isPersonId } from "../../rules/owner/people.ts";
import type { LinkSigner } from "../links.ts";
import { isWithin, type Rights } from "./access.ts";
import { boundBy, isAbove } from "./judge-end.ts";

/** Gives the id of a maker who is in the list of people. */
export const makerId = ({ session }: LinkSigner): string | null => {
  const hash = session?.hash ?? null;
  return isPersonId(hash) ? hash : null;
};

interface Asked {
  readonly action: DashboardAction;
  /** The rights that are given. */
  readonly access: Rights;
  /** The person whose rights are changed. */
  readonly person?: PersonRecord;
}

/**
 * Says within a step whether its maker may give rights. A maker from the list may have lost some
 * since the request came, and the person may have been given more.
 */
export function mayGive(
  signer: LinkSigner,
  maker: PersonRecord | null,
  { action, access, person }: Asked,
): boolean {
  const by = makerId(signer) === null ? signer.by : boundBy(maker, action, signer.by);
  if (by === null || (person && isAbove(person, by))) return false;
  return by === undefined || isWithin(access, by.access);
}
