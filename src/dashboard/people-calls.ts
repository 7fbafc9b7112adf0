import { fail } from "../contract/errors.ts";
import { base64url } from "../domain/keys/hash.ts";
import { iso } from "../domain/text/iso.ts";
import { check, refuse } from "../input/check.ts";
import { invalidOption } from "../input/option-error.ts";
import type { Action } from "../owner/actions.ts";
import type { AuditAuthor } from "../rules/audit/audit-records.ts";
import type { PasskeyRecord, PersonRecord } from "../rules/owner/dashboard-records.ts";
import { personId, personOf } from "../rules/owner/people.ts";
import { changePerson, invitePerson, mostPeople } from "../steps/person-steps.ts";
import type { RecordStore } from "../storage/record-store.ts";
import { reaches, readRights } from "./access/access.ts";
import { type EndRefusal, isAbove, type JudgedEnd, judgeEnd } from "./access/judge-end.ts";
import { makerId, mayGive } from "./access/may-give.ts";
import { newSecret } from "./access/secrets.ts";
import { findPerson, isOwnPass, ownPass } from "./access/who.ts";
import type { DashboardParts } from "./frame/parts.ts";
import { checkBounds, day, type LinkMaker, type LinkSigner } from "./links.ts";
import type { DashboardSettings } from "./options.ts";
import {
  type DashboardPerson,
  type Invitation,
  InviteInput,
  type Passkey,
  PersonChange,
  PersonEnd,
  PersonLink,
} from "./people-input.ts";

interface Place {
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
}

/** The host's own code, or a visitor of the dashboard, with what is made in the visit. */
type Signer = LinkSigner;

export async function listPeople(
  { store, now }: DashboardParts,
  store_id: string,
): Promise<readonly PersonRecord[]> {
  const rows = await store.listSessions(store_id, now(), "people");
  return rows.flatMap((row) => personOf(row) ?? []);
}

const shownPasskey = ({ id, created_at, last_used_at, refused_at }: PasskeyRecord): Passkey => ({
  id,
  created_at: iso(created_at),
  last_used_at: last_used_at === null ? null : iso(last_used_at),
  copied: refused_at !== null,
});

export const shownPerson = (person: PersonRecord): DashboardPerson => ({
  id: person.id,
  name: person.name,
  access: readRights(person.access),
  invited_by: person.made_by,
  created_at: iso(person.created_at),
  last_seen_at: person.last_seen_at === null ? null : iso(person.last_seen_at),
  passkeys: person.passkeys.map(shownPasskey),
});

const recordsOf = async (
  parts: DashboardParts,
  signer: Signer["signer"],
  action: Action,
): Promise<RecordStore> => (signer ? parts.recordsAs(signer, action) : parts.records);

const noPerson = (): never =>
  fail("resource_not_found", { param: "id", message: "There is no such person." });
const noStore = (): never =>
  fail("resource_not_found", { param: "store_id", message: "There is no such store." });

const notWithin = (): never => refuse("access", "allows more than its maker may do");

export async function invite(
  { parts, settings }: Place,
  input: InviteInput,
  maker: Signer,
): Promise<Invitation> {
  const { by, signer, session } = maker;
  if (!settings.people) invalidOption("people", "must be true before someone can be invited");
  const { store_id, ttl_seconds, access, name: given } = check(InviteInput, input);
  if (by) checkBounds(by, store_id, access);

  const name = given.trim();
  const id = personId(base64url(parts.randomBytes(16)));
  const person: PersonRecord = {
    store_id,
    id,
    name,
    access,
    created_at: parts.now(),
    made_by: signer?.actor ?? null,
    made_in: session?.hash ?? null,
    last_seen_at: null,
    passkeys: [],
  };
  const action = "people.invite";
  const records = await recordsOf(parts, signer, action);
  const outcome = await invitePerson(records, person, (found) =>
    mayGive(maker, found, { action, access }),
  );
  if (outcome === "refused") notWithin();
  if (outcome === "unknown_store") noStore();
  if (outcome === "unknown_maker")
    fail("resource_not_found", { message: "The person who invites is no longer in the list." });
  if (outcome === "name_taken") refuse("name", "is taken by another person of the store");
  if (outcome === "limit") refuse("name", `must have at most ${mostPeople} entries in the list`);
  return makeLink({ parts, settings }, person, { signer, session, seconds: ttl_seconds ?? day });
}

/**
 * Makes the link in the person's row, so that it ends with the person. When it is used, the audit
 * log tells who made the link. That may be someone else than the person's inviter.
 */
async function makeLink(
  { parts, settings }: Place,
  { store_id, id, name }: PersonRecord,
  { signer, session, seconds }: Omit<Signer, "by"> & { readonly seconds: number },
): Promise<Invitation> {
  const made_by = signer?.actor ?? null;
  const created_at = parts.now();
  const expires_at = created_at + seconds * 1_000;
  const { hash: link_hash, text: secret } = await newSecret(store_id, parts.randomBytes);
  const pass = { store_id, link_hash, actor: name, access: ownPass, made_by, made_in: id };
  const { outcome } = await parts.store.createLink({ ...pass, created_at, expires_at });
  if (outcome !== "created") noPerson();
  // The maker may have been ended meanwhile, after the links of the maker were looked for.
  if (session && !(await parts.store.findSession(session, created_at))) {
    await parts.store.endLink({ store_id, hash: link_hash }, created_at);
    noPerson();
  }

  const url = `${settings.origin}${settings.publicPath}/link/${secret}`;
  return { id, url, expires_at: iso(expires_at) };
}

/** Finds a person whom `by` reaches. */
async function reachPerson(
  parts: DashboardParts,
  { store_id, id }: { readonly store_id: string; readonly id: string },
  by: LinkMaker | undefined,
): Promise<PersonRecord> {
  if (by && !reaches({ ...by, actor: "" }, store_id)) noStore();
  const person = (await findPerson(parts, { store_id, hash: id })) ?? noPerson();
  // Nobody changes a person who may do more, or gets in as that person.
  if (isAbove(person, by)) refuse("id", "names a person who may do more than you");
  return person;
}

export async function linkPerson(
  { parts, settings }: Place,
  input: PersonLink,
  { by, signer, session }: Signer,
): Promise<Invitation> {
  if (!settings.people) invalidOption("people", "must be true before a link can be made");
  const { ttl_seconds, ...name } = check(PersonLink, input);
  const person = await reachPerson(parts, name, by);
  if (signer)
    await parts.note(signer, "people.invite", {
      kind: "action",
      store_id: person.store_id,
      livemode: null,
      subject: { type: "person", id: person.id },
      before: null,
      after: { name: person.name },
    });
  return makeLink({ parts, settings }, person, { signer, session, seconds: ttl_seconds ?? day });
}

export async function updatePerson(
  parts: DashboardParts,
  input: PersonChange,
  maker: Signer,
): Promise<DashboardPerson> {
  const { by, signer } = maker;
  const { access, ...name } = check(PersonChange, input);
  await reachPerson(parts, name, by);
  if (by) checkBounds(by, name.store_id, access);

  const action = "people.update";
  const records = await recordsOf(parts, signer, action);
  let isAllowed = true;
  const changed = await changePerson(records, name, {
    step: "updatePerson",
    maker: makerId(maker),
    change(person, _isTaken, found) {
      isAllowed = mayGive(maker, found, { action, access, person });
      return isAllowed ? { ...person, access } : null;
    },
  });
  if (!isAllowed) notWithin();
  return shownPerson(changed ?? noPerson());
}

export async function endPerson(
  parts: DashboardParts,
  input: PersonEnd,
  { by, signer, session }: Signer,
): Promise<void> {
  const { keep, store_id, id } = check(PersonEnd, input);
  if (by && !reaches({ ...by, actor: "" }, store_id)) noStore();

  // Each person who is kept has an entry of the audit log.
  const keepers = new Map<string, AuditAuthor>();
  if (signer)
    for (const each of keep ?? []) keepers.set(each, await parts.authorOf(signer, "people.update"));

  let judged: JudgedEnd = "unknown";
  const store = signer ? await parts.storeAs(signer, "people.end") : parts.store;
  const isEnded = await store.endSession({
    store_id,
    hash: id,
    decide(people) {
      const found = judgeEnd(people, { id, keep: keep ?? [], by, maker: session?.hash ?? null });
      judged = found;
      if (typeof found === "string") return null;

      const { stay, makers } = found;
      const made_by = signer?.actor ?? null;
      const made_in = session?.hash ?? null;
      return {
        kept: stay.map((each) => {
          const author = keepers.get(each.id);
          return { person: { ...each, made_by, made_in }, ...(author && { author }) };
        }),
        // A link for a person in the list is stored with that person, not with the one who made it.
        // Ending the maker does not reach it by itself.
        endsLink: (link) => isOwnPass(link) && makers.has(link.made_by),
      };
    },
  });
  if (!isEnded) refusals[typeof judged === "string" ? judged : "unknown"]();
}

const refusals = {
  unknown: noPerson,
  ender: () =>
    fail("resource_not_found", { message: "The person who ends this one may no longer do so." }),
  above: () => refuse("id", "names a person who may do more than you"),
  inviter: () => refuse("id", "names the person from whom your own invitation comes"),
  above_invited: () => refuse("id", "names the inviter of a person who may do more than you"),
} satisfies Readonly<Record<EndRefusal, () => never>>;

/** Whose passkey is removed, and by whom. */
interface Removal {
  readonly person: PersonRecord;
  /** The id of the passkey. */
  readonly passkey: string;
  /** The session that stays open: that of the person who removes it. */
  readonly except: string | null;
  /** Whoever removes a passkey of someone else. */
  readonly maker?: Signer;
}

/**
 * Removes a passkey, and ends the person's sessions, because a device that was lost may have
 * one. Gives false when it was gone.
 */
export async function removePasskey(
  parts: DashboardParts,
  records: RecordStore,
  { person, passkey, except, maker }: Removal,
): Promise<boolean> {
  let isGone = true;
  let isAllowed = true;
  await changePerson(records, person, {
    step: "removePasskey",
    maker: maker ? makerId(maker) : null,
    change(found, _isTaken, by) {
      const asked = { action: "people.update", access: "read", person: found } as const;
      isAllowed = maker === undefined || mayGive(maker, by, asked);
      if (!isAllowed) return null;
      const passkeys = found.passkeys.filter(({ id }) => id !== passkey);
      isGone = passkeys.length === found.passkeys.length;
      return isGone ? null : { ...found, passkeys };
    },
  });
  if (!isAllowed) notWithin();
  if (isGone) return false;

  const { store_id } = person;
  for (const session of await parts.store.listSessions(store_id, parts.now())) {
    const { session_hash: hash, made_in } = session;
    if (made_in !== person.id || !isOwnPass(session) || hash === except) continue;
    await parts.store.endSession({ store_id, hash });
  }
  return true;
}
