import { minuteMs } from "../../domain/durations.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { AuditSigner } from "../../rules/audit/audit-records.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
  StoredAccess,
} from "../../rules/owner/dashboard-records.ts";
import { isPersonId, personOf } from "../../rules/owner/people.ts";
import { changePerson } from "../../steps/person-steps.ts";
import type { DashboardRef } from "../../storage/dashboard-store.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { type DashboardAccess, isWithin, limitRights, readAccess, readRights } from "./access.ts";
import { readCookie } from "./cookies.ts";
import { readSecret } from "./secrets.ts";

export interface Known {
  readonly access: DashboardAccess;
  /** The audit log names this person by it. */
  readonly signer: AuditSigner;
  /** A link or a passkey has opened this session. Null when the host knows who this is. */
  readonly session: DashboardRef | null;
  /** Whoever was invited to the list of people. Null for everyone else. */
  readonly person: PersonRecord | null;
  /**
   * The session or the person in which links are made now, and with which they end. Null for
   * someone whom the host knows.
   */
  readonly maker: DashboardRef | null;
}

/**
 * The stored rights of a person's own links and sessions. They allow nothing by themselves, in
 * older versions too: the person's own rights count, as they are at each request.
 */
export const ownPass: StoredAccess = ["person"];

/** Says whether a link or a session is the person's own, and not one that the person gave. */
export const isOwnPass = ({ access, made_in }: Pass): boolean =>
  isPersonId(made_in) && JSON.stringify(access) === JSON.stringify(ownPass);

type Pass = Pick<DashboardLinkRecord, "access" | "made_in">;

/**
 * Finds out who has sent a request: by the host, else by the session of a link or a passkey.
 * Null means nobody. It throws when the host's function throws.
 */
export async function whoIs(
  request: WireRequest,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<Known | null> {
  const access = await askHost(request, settings);
  const signer = access && { actor: access.actor };
  if (access && signer) return { access, signer, session: null, person: null, maker: null };

  const session = await findSession(request, parts, settings);
  return session && knownBy(session, parts, settings);
}

async function knownBy(
  session: DashboardSessionRecord,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<Known | null> {
  const isOwn = isOwnPass(session);
  if (isOwn ? !settings.people : !settings.links) return null;

  const { store_id, actor } = session;
  const giver = (await giverOf(session, parts))?.person ?? null;
  if (isOwn && giver === null) return null;
  if (isOwn && giver) await noteSeen(giver, parts);

  const given = readRights(isOwn ? (giver?.access ?? []) : session.access);
  // Nobody who was given a link may do more than its giver may do now.
  const rights = giver ? limitRights(given, readRights(giver.access)) : given;
  const ref = { store_id, hash: session.session_hash };
  const person = isOwn ? giver : null;
  return {
    access: { actor, stores: [store_id], access: rights },
    signer: signerOfPass(session),
    session: ref,
    person,
    maker: person ? { store_id, hash: person.id } : ref,
  };
}

/**
 * The person from whom a link or a session comes, and until when it can be traced to the person.
 */
interface Giver {
  readonly person: PersonRecord;
  /** In epoch milliseconds: the first end of the sessions in between. */
  readonly until: number;
}

/**
 * Finds the person from whom a link or a session comes, by links of links. Gives null when it comes
 * from no person. It lasts no longer than the sessions on the way back to the person, so that the
 * end of the person always reaches it.
 */
export async function giverOf(
  { store_id, made_in }: Pick<DashboardLinkRecord, "store_id" | "made_in">,
  { store, now }: DashboardParts,
): Promise<Giver | null> {
  let hash = made_in;
  let until = Number.POSITIVE_INFINITY;
  while (hash !== null) {
    const maker = await store.findSession({ store_id, hash }, now());
    const person = personOf(maker);
    if (person) return { person, until };
    if (maker) until = Math.min(until, maker.expires_at);
    hash = maker?.made_in ?? null;
  }
  return null;
}

export const findPerson = async (
  { store, now }: DashboardParts,
  ref: DashboardRef,
): Promise<PersonRecord | null> => personOf(await store.findSession(ref, now()));

/**
 * Says whether a person's link may still be used. Nobody may sign in as a person with more rights,
 * so a maker from the list must have all rights of the person now. A maker whom the host knows is
 * not in the list, and is not compared.
 */
export async function maySignIn(
  { store_id, made_in, made_by }: DashboardLinkRecord,
  { store, now }: DashboardParts,
): Promise<boolean> {
  const rows = await store.listSessions(store_id, now(), "people");
  const maker = rows.find(({ actor }) => actor === made_by);
  const person = rows.find(({ session_hash }) => session_hash === made_in);
  return !maker || !person || isWithin(readRights(person.access), readRights(maker.access));
}

const seenMs = 5 * minuteMs;

/**
 * Notes when a person was last here. Nobody is told when that fails: the screens work without it.
 */
async function noteSeen(person: PersonRecord, parts: DashboardParts): Promise<void> {
  const { records, now, onError } = parts;
  const time = now();
  if (person.last_seen_at !== null && time - person.last_seen_at < seenMs) return;
  try {
    await changePerson(records, person, {
      step: "notePerson",
      change: (found) => ({ ...found, last_seen_at: Math.max(time, found.last_seen_at ?? 0) }),
    });
  } catch (error) {
    onError(error, "dashboard");
  }
}

/**
 * Asks the host who sends the request. Any error of the host's function becomes a
 * failure: the function may have called our services, and their errors would
 * otherwise be answered as if the address were wrong.
 */
async function askHost(
  request: WireRequest,
  { authorize }: DashboardSettings,
): Promise<DashboardAccess | null> {
  if (!authorize) return null;
  try {
    return readAccess(await authorize(request));
  } catch (cause) {
    throw new Error("The dashboard could not learn from `authorize` who sent a request.", {
      cause,
    });
  }
}

/** Finds the session of a browser. Null when the dashboard has neither links nor people. */
export async function findSession(
  request: WireRequest,
  { store, now }: DashboardParts,
  settings: DashboardSettings,
): Promise<DashboardSessionRecord | null> {
  if (!settings.links && !settings.people) return null;
  const cookie = readCookie(request, "session", settings);
  const ref = cookie === null ? null : await readSecret(cookie);
  return ref && store.findSession(ref, now());
}

/** Gives what the audit log says of someone whom a link, its session or a passkey lets in. */
export const signerOfPass = ({
  actor,
  made_by,
}: Pick<DashboardSessionRecord, "actor" | "made_by">): AuditSigner => ({
  actor,
  via: "link",
  made_by,
});
