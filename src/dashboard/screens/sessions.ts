import { fail, isApiError } from "../../contract/errors.ts";
import { type Html, html, raw } from "../../contract/html.ts";
import { iso } from "../../domain/text/iso.ts";
import type { DashboardSessionRecord } from "../../rules/owner/dashboard-records.ts";
import { isPersonId } from "../../rules/owner/people.ts";
import { may, readRights } from "../access/access.ts";
import { isOwnPass } from "../access/who.ts";
import { samePlace } from "../addresses.ts";
import { timeTag } from "../format.ts";
import { conflict } from "../forms/conflict.ts";
import {
  buttonForm,
  card,
  codeBox,
  notice,
  type Row,
  screenForm,
  type Table,
  table,
} from "../frame/elements.ts";
import { explain } from "../frame/explain.ts";
import type { TextName } from "../language.ts";
import { createLinks, makeLink, type WaitingLink } from "../links.ts";
import { filtersOf } from "../lists/filters.ts";
import { sortFilter } from "../lists/sorts.ts";
import { wholeList } from "../lists/whole-lists.ts";
import type { FormResult, Screen, StoreVisit, View } from "../screen.ts";
import { pageQuery, pager } from "./lists.ts";
import { readTypedRights, rightsFields, rightsKey, rightsText } from "./rights-field.ts";

/** The rights of a person's own session are those of the person. */
const passText = (visit: StoreVisit, pass: DashboardSessionRecord): Html | string =>
  isOwnPass(pass)
    ? visit.language.say("rights_of_person")
    : rightsText(visit, readRights(pass.access));

const passKey = (pass: DashboardSessionRecord): number =>
  isOwnPass(pass) ? Number.NEGATIVE_INFINITY : rightsKey(readRights(pass.access));

async function sessionList(visit: StoreVisit): Promise<Html> {
  const { parts, store, language, session } = visit;
  const { say } = language;
  const sessions = await parts.store.listSessions(store.id, parts.now());

  const { columns, rows: sorted } = wholeList(visit, sessions, {
    actor: { label: say("actor"), keyOf: ({ actor }) => actor },
    rights: { label: say("rights"), keyOf: passKey },
    made_by: { label: say("made_by"), keyOf: ({ made_by }) => made_by },
    created: { label: say("created_at"), keyOf: ({ created_at }) => created_at },
    expires: { label: say("expires_at"), keyOf: ({ expires_at }) => expires_at },
    actions: { label: say("actions") },
  });
  const rows = sorted.map((each) => {
    const { actor, made_by, created_at, expires_at, session_hash } = each;
    return [
      html`<strong>${actor}</strong>
${session?.hash === session_hash ? html`<small>${say("session_own")}</small>` : null}`,
      passText(visit, each),
      makerText(visit, made_by),
      timeTag(visit, iso(created_at)),
      timeTag(visit, iso(expires_at)),
      buttonForm(visit, {
        name: "end",
        action: "sessions.end",
        label: "session_end",
        about: actor,
        fields: { session: session_hash },
        address: samePlace(visit),
      }),
    ];
  });
  return listOf(visit, { title: "sessions_title", none: "sessions_none", columns, rows });
}

const makerText = ({ language }: StoreVisit, made_by: string | null): string =>
  made_by ?? language.say("made_by_host");

interface PassList {
  readonly title: TextName;
  readonly none: TextName;
  readonly columns: Table["columns"];
  readonly rows: readonly Row[];
}

function listOf({ language }: StoreVisit, { title, none, columns, rows }: PassList): Html {
  const { say } = language;
  return rows.length === 0
    ? card(say(title), html`<p class="soft">${say(none)}</p>`)
    : html`<h2>${say(title)}</h2>${table({ caption: say(title), columns, rows })}`;
}

/** Lists the links that still sign in, so that they can be ended before they do. */
async function linkList(visit: StoreVisit): Promise<Html> {
  const { parts, settings, store, language } = visit;
  const { say } = language;
  const query = { store_id: store.id, ...pageQuery(visit) };
  const page = await createLinks(parts, settings).list(query);

  const rows = page.data.map(({ id, actor, access, made_by, created_at, expires_at }) => [
    html`<strong>${actor}</strong>`,
    // Only a link of a person has no rights of its own: those of the person count.
    access.length === 0 ? say("rights_of_person") : rightsText(visit, access),
    makerText(visit, made_by),
    timeTag(visit, created_at),
    timeTag(visit, expires_at),
    endButton(visit, id, actor),
  ]);
  const columns = [
    say("link_for"),
    say("rights"),
    say("made_by"),
    say("created_at"),
    say("link_valid_until"),
    say("actions"),
  ];
  const list = listOf(visit, { title: "links_title", none: "links_none", columns, rows });
  return html`${list}${pager(visit, page, filtersOf(visit, [sortFilter]))}`;
}

const endButton = (visit: StoreVisit, link: WaitingLink["id"], about: string): Html | null =>
  buttonForm(visit, {
    name: "end-link",
    action: "links.end",
    label: "link_end",
    about,
    fields: { link },
    address: samePlace(visit),
  });

/** A link may wait for one of these numbers of seconds until it is used. */
const linkLifetimes = [900, 3_600, 86_400] as const;

function lifetimeField({ language }: StoreVisit, typed: URLSearchParams): Html {
  const { say } = language;
  const options = linkLifetimes.map((seconds) => {
    const selected = raw(typed.get("ttl_seconds") === String(seconds) ? "selected" : "");
    return html`<option value="${seconds}" ${selected}>${say(`link_ttl_${seconds}`)}</option>`;
  });
  return html`<div class="field"><label for="ttl_seconds">${say("link_ttl")}</label>
<p class="soft" id="ttl-hint">${say("link_ttl_hint")}</p>
<select id="ttl_seconds" name="ttl_seconds" aria-describedby="ttl-hint">${options}</select></div>`;
}

/** The form offers no right that its sender lacks; the call refuses it too. */
function linkForm(visit: StoreVisit, typed: URLSearchParams, fault: string | null): Html | null {
  const { access, settings, language } = visit;
  const { say } = language;
  if (!settings.links || !may(access, "links.create")) return null;

  const body = html`${fault === null ? null : html`<p class="notice bad" role="alert">${fault}</p>`}
<div class="field"><label for="actor">${say("link_actor")}</label>
<p class="soft" id="actor-hint">${say("link_actor_hint")}</p>
<input id="actor" name="actor" maxlength="255" aria-describedby="actor-hint"
value="${typed.get("actor") ?? ""}"></div>
${rightsFields(visit, typed)}
${lifetimeField(visit, typed)}
<div class="actions"><button class="button primary">${say("link_create")}</button></div>`;
  const address = samePlace(visit);
  return card(say("link_create"), screenForm(visit, { name: "link", address, body }));
}

async function view(visit: StoreVisit, form: Html | null): Promise<View> {
  return {
    title: visit.language.say("section_sessions"),
    lead: visit.language.say("sessions_lead"),
    body: html`${await sessionList(visit)}${await linkList(visit)}${form}`,
  };
}

async function createLink(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const { store, livemode, access, signer, maker: session, language } = visit;
  const { say } = language;
  const refuse = async (fault: string): Promise<FormResult> => {
    const form = linkForm(visit, fields, fault);
    return { kind: "view", status: 422, view: await view(visit, form) };
  };
  const rights = readTypedRights(fields);
  if (rights === null) return refuse(say("fault_rights"));

  try {
    const actor = fields.get("actor")?.trim() ?? "";
    const asked = fields.get("ttl_seconds");
    const ttl_seconds = linkLifetimes.find((seconds) => String(seconds) === asked) ?? null;
    // Whoever is given a link begins in the mode in which it was made.
    const next = `/${encodeURIComponent(store.id)}/${livemode ? "live" : "test"}`;
    const input = { store_id: store.id, actor, access: rights, ttl_seconds, next };
    const { url, expires_at } = await makeLink(visit, input, { by: access, signer, session });
    const made = card(
      say("link_made_title"),
      html`${notice("warn", say("link_made_text"))}
${codeBox(visit, { id: "link", label: say("link"), value: url })}
<p class="soft">${say("link_until")}: ${timeTag(visit, expires_at)}</p>`,
    );
    return { kind: "view", status: 200, view: await view(visit, made) };
  } catch (error) {
    if (!isApiError(error) || error.param === null) throw error;
    return refuse(explain(language, error));
  }
}

/** A link that is gone was perhaps used just now: whoever wanted to end it must know. */
async function endLink(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const { parts, store, signer, language } = visit;
  const audited = await parts.storeAs(signer, "links.end");
  const link = { store_id: store.id, hash: fields.get("link") ?? "" };
  if (await audited.endLink(link, parts.now()))
    return { kind: "done", address: samePlace(visit), message: "done_link_ended" };

  const shown = await view(visit, linkForm(visit, new URLSearchParams(), null));
  return conflict(shown, language.say("link_gone"));
}

export const sessionsScreen: Screen = {
  path: "sessions",
  section: "sessions",
  action: null,
  show: (visit) => view(visit, linkForm(visit, new URLSearchParams(), null)),
  forms: {
    link: {
      action: "links.create",
      send: createLink,
      again: (visit, fields) => view(visit, linkForm(visit, fields, null)),
    },
    end: {
      action: "sessions.end",
      async send(visit, fields) {
        const { parts, store, signer } = visit;
        const hash = fields.get("session") ?? "";
        // The end of a person has a right of its own.
        if (isPersonId(hash)) fail("resource_not_found", { param: "session" });
        const audited = await parts.storeAs(signer, "sessions.end");
        await audited.endSession({ store_id: store.id, hash });
        return { kind: "done", address: samePlace(visit), message: "done_ended" };
      },
    },
    "end-link": { action: "links.end", send: endLink },
  },
};
