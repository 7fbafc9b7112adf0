import { isApiError } from "../../../contract/errors.ts";
import { type Html, html, raw } from "../../../contract/html.ts";
import { may } from "../../access/access.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import {
  actionLink,
  badge,
  card,
  codeBox,
  emptyList,
  notice,
  primaryButton,
  screenForm,
  table,
} from "../../frame/elements.ts";
import { explain } from "../../frame/explain.ts";
import { timeOf, wholeList } from "../../lists/whole-lists.ts";
import { invite, listPeople, shownPerson } from "../../people-calls.ts";
import type { DashboardPerson, Invitation } from "../../people-input.ts";
import type { FormResult, Screen, StoreVisit, View } from "../../screen.ts";
import { readTypedRights, rightsFields, rightsKey, rightsText } from "../rights-field.ts";

const seenText = (visit: StoreVisit, { last_seen_at }: DashboardPerson): Html =>
  last_seen_at === null
    ? badge("plain", visit.language.say("person_invited"))
    : timeTag(visit, last_seen_at);

/** Tells how many passkeys a person has, and that one may have been copied. */
export const passkeysText = ({ language }: StoreVisit, { passkeys }: DashboardPerson): Html =>
  passkeys.some(({ copied }) => copied)
    ? html`${passkeys.length} ${badge("bad", language.say("passkey_copied"))}`
    : html`${passkeys.length}`;

const inviteLink = (visit: StoreVisit): Html | null =>
  canInvite(visit)
    ? actionLink(visit, "people.invite", {
        label: "person_invite",
        address: inStore(visit, ["people", "invite"]),
        kind: "primary",
      })
    : null;

/**
 * Says whether the visitor may invite people and make links for them. A visitor who came by a link
 * for one session may not: such a link would outlive the session.
 */
export const canInvite = ({ access, session, person }: StoreVisit): boolean =>
  may(access, "people.invite") && (session === null || person !== null);

export const peopleScreen: Screen = {
  path: "people",
  section: "people",
  action: null,
  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const people = (await listPeople(parts, store.id)).map(shownPerson);
    const { columns, rows: sorted } = wholeList(visit, people, {
      name: { label: say("name"), keyOf: ({ name }) => name },
      rights: { label: say("rights"), keyOf: ({ access }) => rightsKey(access) },
      invited_by: { label: say("invited_by"), keyOf: ({ invited_by }) => invited_by },
      last_seen: { label: say("last_seen"), keyOf: ({ last_seen_at }) => timeOf(last_seen_at) },
      passkeys: { label: say("passkeys"), keyOf: ({ passkeys }) => passkeys.length },
    });
    const rows = sorted.map((person) => [
      html`<a href="${inStore(visit, ["people", person.id])}">${person.name}</a>
${visit.person?.id === person.id ? html`<small>${say("session_own")}</small>` : null}`,
      rightsText(visit, person.access),
      person.invited_by ?? say("made_by_host"),
      seenText(visit, person),
      passkeysText(visit, person),
    ]);
    const create = inviteLink(visit);
    return {
      title: say("section_people"),
      lead: say("people_lead"),
      primary: rows.length === 0 ? null : create,
      body:
        rows.length === 0
          ? emptyList(say("people_empty_title"), say("people_empty_text"), create)
          : table({ caption: say("section_people"), columns, rows }),
    };
  },
};

/** An invitation may wait for one of these numbers of seconds until it is used. */
const lifetimes = [3_600, 86_400, 604_800] as const;

const lifetimeField = ({ language }: StoreVisit, typed: URLSearchParams): Html => {
  const { say } = language;
  const chosen = typed.get("ttl_seconds") ?? "86400";
  const options = lifetimes.map((seconds) => {
    const selected = raw(chosen === String(seconds) ? "selected" : "");
    return html`<option value="${seconds}" ${selected}>${say(`link_ttl_${seconds}`)}</option>`;
  });
  return html`<div class="field"><label for="ttl_seconds">${say("link_ttl")}</label>
<select id="ttl_seconds" name="ttl_seconds">${options}</select></div>`;
};

function inviteView(visit: StoreVisit, typed: URLSearchParams, fault: string | null): View {
  const { say } = visit.language;
  const alert = fault && html`<p class="notice bad" role="alert">${fault}</p>`;
  const form = html`${alert}
<div class="field"><label for="name">${say("name")}</label>
<p class="soft" id="name-hint">${say("person_name_hint")}</p>
<input id="name" name="name" maxlength="100" autocomplete="off" aria-describedby="name-hint"
value="${typed.get("name") ?? ""}"></div>
${rightsFields(visit, typed)}
${lifetimeField(visit, typed)}
<div class="actions">${primaryButton(say("person_invite"))}</div>`;
  return {
    title: say("person_invite"),
    crumbs: [{ label: say("section_people"), address: inStore(visit, ["people"]) }],
    body: canInvite(visit)
      ? card(null, screenForm(visit, { name: "invite", body: form }))
      : notice("warn", say("person_invite_by_link")),
  };
}

/** The link stands in this answer alone. */
export const invitedCard = (visit: StoreVisit, { url, expires_at }: Invitation): Html => {
  const { say } = visit.language;
  return card(
    say("link_made_title"),
    html`${notice("warn", say("link_made_text"))}
${codeBox(visit, { id: "link", label: say("link"), value: url })}
<p class="soft">${say("link_until")}: ${timeTag(visit, expires_at)}</p>`,
  );
};

async function sendInvite(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const { store, access: by, signer, maker: session, language } = visit;
  const refuse = (fault: string): FormResult => ({
    kind: "view",
    status: 422,
    view: inviteView(visit, fields, fault),
  });
  const access = readTypedRights(fields);
  if (access === null) return refuse(language.say("fault_rights"));
  if (!canInvite(visit)) return refuse(language.say("person_invite_by_link"));

  const asked = fields.get("ttl_seconds");
  const ttl_seconds = lifetimes.find((seconds) => String(seconds) === asked) ?? null;
  const name = fields.get("name")?.trim() ?? "";
  try {
    const input = { store_id: store.id, name, access, ttl_seconds };
    const made = await invite(visit, input, { by, signer, session });
    const view = {
      ...inviteView(visit, fields, null),
      title: name,
      body: invitedCard(visit, made),
    };
    return { kind: "view", status: 200, view };
  } catch (error) {
    if (!isApiError(error) || error.param === null) throw error;
    return refuse(explain(language, error));
  }
}

export const inviteScreen: Screen = {
  path: "people/invite",
  section: "people",
  action: "people.invite",
  show: async (visit) => inviteView(visit, new URLSearchParams(), null),
  forms: {
    invite: {
      action: "people.invite",
      send: sendInvite,
      again: async (visit, fields) => inviteView(visit, fields, null),
    },
  },
};
