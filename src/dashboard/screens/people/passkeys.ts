import { type Html, html } from "../../../contract/html.ts";
import { base64url } from "../../../domain/keys/hash.ts";
import type { PersonRecord } from "../../../rules/owner/dashboard-records.ts";
import { changePerson } from "../../../steps/person-steps.ts";
import { below } from "../../addresses.ts";
import { card, hidden, notice, screenForm } from "../../frame/elements.ts";
import { readMade } from "../../passkeys/ceremony.ts";
import { newChallenge, spendChallenge } from "../../passkeys/challenge.ts";
import { makeOptions, passkeyButton } from "../../passkeys/passkey-form.ts";
import { fitsPasskey, userHandle } from "../../passkeys/user-handle.ts";
import { removePasskey } from "../../people-calls.ts";
import type { FormResult, Screen, View, Visit } from "../../screen.ts";

/** A person has at most this many. */
const mostPasskeys = 10;

async function addForm(visit: Visit, person: PersonRecord): Promise<Html> {
  const { parts, settings, language, cookie } = visit;
  const { say } = language;
  if (settings.rpId === null || !fitsPasskey(person.store_id))
    return notice("warn", say("passkeys_impossible"));
  if (person.passkeys.length >= mostPasskeys) return notice("plain", say("passkeys_full"));

  const store = await parts.owner.stores.retrieve(person.store_id);
  const challenge = await newChallenge(parts, { cookie, person: person.id });
  const options = makeOptions(challenge, settings, {
    handle: userHandle({ store_id: person.store_id, hash: person.id }),
    name: person.name,
    store: store.name,
    known: person.passkeys.map(({ id }) => id),
  });
  const body = passkeyButton(language, { label: "passkey_add", options });
  return card(
    say("passkey_add"),
    html`<p>${say("passkey_add_text")}</p>
${screenForm(visit, { name: "add", body })}`,
  );
}

function ownList(visit: Visit, { passkeys }: PersonRecord): Html | null {
  const { say, lang } = visit.language;
  const time = new Intl.DateTimeFormat(lang, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const rows = passkeys.map(({ id, created_at }) => {
    const made = say("passkey_made", { time: `${time.format(created_at)} UTC` });
    const button = html`${hidden("passkey", id)}
<button class="button small">${say("passkey_remove")}<span class="unseen"> ${made}</span></button>`;
    const form = screenForm(visit, { name: "remove", className: "inline", body: button });
    return html`<li>${made} ${form}</li>`;
  });
  return rows.length === 0 ? null : card(say("passkeys"), html`<ul>${rows}</ul>`);
}

async function view(visit: Visit): Promise<View> {
  const { language, settings, person } = visit;
  const { say } = language;
  const kind = person && person.passkeys.length > 0 ? "primary" : "";
  const home = html`<p><a class="button ${kind}"
href="${below(settings)}">${say("to_dashboard")}</a></p>`;
  const body = person
    ? html`${await addForm(visit, person)}${ownList(visit, person)}${home}`
    : html`${notice("plain", say("passkeys_not_yours"))}${home}`;
  return { title: say("passkeys_own"), lead: say("passkeys_lead"), body };
}

async function keepPasskey(visit: Visit, fields: URLSearchParams): Promise<FormResult> {
  const { parts, settings, signer, person, path, language, cookie } = visit;
  const refuse = async (): Promise<FormResult> => ({
    kind: "view",
    status: 422,
    view: { ...(await view(visit)), alert: language.say("passkey_refused") },
  });
  if (!person) return refuse();
  const asked = { parts, settings, scope: { cookie, person: person.id } };
  const made = await readMade(fields.get("credential") ?? "", asked);
  if (!made || !(await spendChallenge(parts, made.challenge))) return refuse();

  const { id, publicKey, counter, transports } = made;
  const passkey = {
    id,
    public_key: base64url(publicKey),
    counter,
    transports,
    created_at: parts.now(),
    last_used_at: null,
    refused_at: null,
  };
  let isKept = false;
  await changePerson(await parts.recordsAs(signer, "passkeys.add"), person, {
    step: "addPasskey",
    unique: id,
    change(found, isTaken) {
      const isKnown = isTaken || found.passkeys.some((each) => each.id === id);
      isKept = !isKnown && found.passkeys.length < mostPasskeys;
      return isKept ? { ...found, passkeys: [...found.passkeys, passkey] } : null;
    },
  });
  return isKept ? { kind: "done", address: path, message: "done_passkey_added" } : refuse();
}

/** Shows the visitor's own passkeys, and keeps new ones. */
export const passkeysScreen: Screen<Visit> = {
  path: "passkeys",
  section: "people",
  action: null,
  show: view,
  forms: {
    add: { action: null, send: keepPasskey },
    remove: {
      action: null,
      async send({ parts, signer, person, session, path }, fields) {
        const records = await parts.recordsAs(signer, "passkeys.remove");
        const passkey = fields.get("passkey") ?? "";
        const except = session?.hash ?? null;
        if (person) await removePasskey(parts, records, { person, passkey, except });
        return { kind: "done", address: path, message: "done_passkey_removed" };
      },
    },
  },
};
