import { fromBase64url } from "../../domain/keys/hash.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { PasskeyRecord, PersonRecord } from "../../rules/owner/dashboard-records.ts";
import { changePerson } from "../../steps/person-steps.ts";
import { openSession } from "../access/open-session.ts";
import { newSecret } from "../access/secrets.ts";
import { findPerson, ownPass } from "../access/who.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { checkSigned, readSigned } from "./ceremony.ts";
import { spendChallenge } from "./challenge.ts";
import { readUserHandle } from "./user-handle.ts";

/**
 * A key that nobody's passkey has. Answers of unknown passkeys are checked with it and
 * refused, so that the time tells nobody which passkeys exist.
 */
const nobodysKey =
  "pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-e" +
  "FivOM1drMV7Oy7ZAaDe_UfU";

/** A sign-in that the browser has sent. */
interface SignIn {
  readonly request: WireRequest;
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
  /** The value of the browser's form cookie. */
  readonly cookie: string;
  /** What the browser's authenticator has answered. */
  readonly answer: string;
}

/**
 * Signs a person in by a passkey alone. Gives the `Set-Cookie` header of the session, and
 * null for whatever is wrong: nobody is told what it was.
 */
export async function signInByPasskey(given: SignIn): Promise<string | null> {
  const { request, parts, settings, cookie } = given;
  const answer = readSigned(given.answer);
  if (!answer) return null;

  const ref = readUserHandle(answer.userHandle);
  const person = ref && (await findPerson(parts, ref));
  const passkey = person?.passkeys.find(({ id }) => id === answer.id);
  const key = fromBase64url(passkey?.public_key ?? nobodysKey) ?? new Uint8Array();
  const asked = { parts, settings, scope: { cookie, person: "" } };
  const signed = await checkSigned(answer, key, asked);
  if (!person || !passkey || !signed) return null;

  const isFirst = await spendChallenge(parts, signed.challenge);
  if (!isFirst || !(await usePasskey(parts, person, passkey.id, signed.counter))) return null;
  return open(request, person, { parts, settings });
}

/**
 * Notes the use of a passkey. Gives false when it is gone, and when its counter has not
 * grown: then a copy of it is in use, which the list of people tells.
 */
async function usePasskey(
  { records, now }: DashboardParts,
  person: PersonRecord,
  id: string,
  counter: number,
): Promise<boolean> {
  const time = now();
  let isUsed = false;
  await changePerson(records, person, {
    step: "usePasskey",
    change(found) {
      const passkey = found.passkeys.find((each) => each.id === id);
      isUsed = passkey !== undefined && hasGrown(passkey, counter);
      if (!passkey) return null;

      const used = { ...passkey, counter, last_used_at: time };
      const refused = { ...passkey, refused_at: passkey.refused_at ?? time };
      const after = isUsed ? used : refused;
      return {
        ...found,
        last_seen_at: isUsed ? time : found.last_seen_at,
        passkeys: found.passkeys.map((each) => (each === passkey ? after : each)),
      };
    },
  });
  return isUsed;
}

/** Many authenticators count no uses, and always say zero. */
const hasGrown = ({ counter: before }: PasskeyRecord, counter: number): boolean =>
  counter > before || (counter === 0 && before === 0);

/** The link lives as long as it takes to spend it. */
const linkMs = 60_000;

/** Opens a session in the person's row by a link, so that it ends as all that come from it. */
async function open(
  request: WireRequest,
  { store_id, id, name, made_by }: PersonRecord,
  { parts, settings }: Pick<SignIn, "parts" | "settings">,
): Promise<string | null> {
  const { hash: link_hash } = await newSecret(store_id, parts.randomBytes);
  const created_at = parts.now();
  const link = {
    store_id,
    link_hash,
    actor: name,
    access: ownPass,
    made_by,
    made_in: id,
    created_at,
    expires_at: created_at + linkMs,
  };
  const { outcome } = await parts.store.createLink(link);
  if (outcome !== "created") return null;
  return openSession(request, link, { parts, settings, action: "passkeys.use" });
}
