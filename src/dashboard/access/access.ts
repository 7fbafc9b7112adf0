import { isCleanText } from "../../domain/text/plain.ts";
import { type DashboardAction, dashboardActions, isDashboardAction } from "../../owner/actions.ts";

/**
 * `all` allows every action. `read` allows no action, and shows every screen but
 * those that are actions.
 */
export type Rights = "all" | "read" | readonly DashboardAction[];

/** What `authorize` says about whoever sent a request. */
export interface DashboardAccess {
  /** Names that person, for the screens and the audit log, in 1 to 255 characters. */
  readonly actor: string;
  /** The person may reach all stores, or the stores of these ids. */
  readonly stores: "all" | readonly string[];
  readonly access: Rights;
}

/**
 * Says why a value cannot be used as an access; null when it can. JavaScript hosts can
 * return anything.
 */
function faultOf(value: DashboardAccess): string | null {
  const { actor, stores, access } = value;
  if (!isActor(actor)) return "`actor` must be a text of 1 to 255 characters, none of them NUL";
  if (stores !== "all" && !isTextList(stores))
    return '`stores` must be "all" or a list of store ids';
  if (access === "all" || access === "read") return null;
  if (!Array.isArray(access)) return '`access` must be "all", "read" or a list of actions';

  const wrong = access.findIndex((name) => !isDashboardAction(name));
  return wrong < 0
    ? null
    : `\`access[${wrong}]\` must be one of ${Object.keys(dashboardActions).join(", ")}`;
}

const isActor = (value: unknown): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= 255 && isCleanText(value);

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/**
 * Checks what `authorize` has returned; null means nobody. Throws over anything
 * else, because a mistake of the host's must never give someone a
 * right.
 */
export function readAccess(value: unknown): DashboardAccess | null {
  if (value === null) return null;
  if (typeof value !== "object")
    throw new TypeError("`authorize` must return { actor, stores, access }, or null for nobody.");

  const given = value as DashboardAccess; // Its fields are checked one by one below.
  const fault = faultOf(given);
  if (fault !== null) throw new TypeError(`What \`authorize\` returned cannot be used: ${fault}.`);
  const { actor, stores, access } = given;
  return { actor, stores, access };
}

export const reaches = ({ stores }: DashboardAccess, store_id: string): boolean =>
  stores === "all" || stores.includes(store_id);

/** Says whether someone may do an action. A thing that needs no right has null as its action. */
export const may = ({ access }: DashboardAccess, action: DashboardAction | null): boolean =>
  action === null || access === "all" || (access !== "read" && access.includes(action));

/** Says whether `wanted` allows nothing that `own` does not allow. */
export function isWithin(wanted: Rights, own: Rights): boolean {
  if (own === "all" || wanted === "read") return true;
  if (own === "read" || wanted === "all") return false;
  return wanted.every((action) => own.includes(action));
}

/** Gives what two rights both allow. */
export function limitRights(rights: Rights, bound: Rights): Rights {
  if (isWithin(rights, bound)) return rights;
  if (isWithin(bound, rights)) return bound;
  if (typeof rights === "string" || typeof bound === "string") return "read";
  return rights.filter((action) => bound.includes(action));
}

/** Reads stored rights. An action that this version does not know gives no right. */
export const readRights = (stored: "all" | "read" | readonly string[]): Rights =>
  typeof stored === "string" ? stored : stored.filter(isDashboardAction);
