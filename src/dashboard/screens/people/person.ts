import { fail, isApiError } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { PersonRecord } from "../../../rules/owner/dashboard-records.ts";
import { may } from "../../access/access.ts";
import { invitedBy, isAbove } from "../../access/judge-end.ts";
import { findPerson } from "../../access/who.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { markOfAll, marksField } from "../../forms/edit-marks.ts";
import { checkbox } from "../../forms/render-form.ts";
import {
  actionLink,
  badge,
  buttonForm,
  card,
  facts,
  hidden,
  primaryButton,
  screenForm,
  table,
} from "../../frame/elements.ts";
import { explain } from "../../frame/explain.ts";
import type { LinkSigner } from "../../links.ts";
import {
  endPerson,
  linkPerson,
  listPeople,
  removePasskey,
  shownPerson,
  updatePerson,
} from "../../people-calls.ts";
import type { Crumb, FormResult, Screen, StoreVisit, View } from "../../screen.ts";
import { historyCard } from "../../sentences/history.ts";
import { confirmScreen } from "../confirm.ts";
import { readTypedRights, rightsFields, rightsText, typedRights } from "../rights-field.ts";
import { canInvite, invitedCard } from "./people.ts";

const findVisited = async ({ parts, store, params }: StoreVisit): Promise<PersonRecord> =>
  (await findPerson(parts, { store_id: store.id, hash: params["id"] ?? "" })) ??
  fail("resource_not_found", { param: "id" });

const signedBy = ({ access, signer, maker }: StoreVisit): LinkSigner => ({
  by: access,
  signer,
  session: maker,
});

const crumbs = (visit: StoreVisit): readonly Crumb[] => [
  { label: visit.language.say("section_people"), address: inStore(visit, ["people"]) },
];

function passkeyList(visit: StoreVisit, person: PersonRecord): Html {
  const { say } = visit.language;
  const { passkeys } = shownPerson(person);
  if (passkeys.length === 0)
    return card(say("passkeys"), html`<p class="soft">${say("passkeys_none")}</p>`);

  const rows = passkeys.map(({ id, created_at, last_used_at, copied }) => [
    timeTag(visit, created_at),
    html`${last_used_at === null ? say("never") : timeTag(visit, last_used_at)}
${copied ? badge("bad", say("passkey_copied")) : null}`,
    isAbove(person, visit.access)
      ? null
      : buttonForm(visit, {
          name: "remove",
          action: "people.update",
          label: "passkey_remove",
          fields: { passkey: id },
        }),
  ]);
  const columns = [say("created_at"), say("key_last_used"), say("actions")];
  return html`<h2>${say("passkeys")}</h2>${table({ caption: say("passkeys"), columns, rows })}`;
}

const markOfRights = ({ access }: PersonRecord): string => markOfAll({ rights: [access].flat() });

function rightsForm(visit: StoreVisit, person: PersonRecord, typed: URLSearchParams): Html | null {
  const { say } = visit.language;
  if (isAbove(person, visit.access) || !may(visit.access, "people.update")) return null;
  const body = html`${hidden(marksField, markOfRights(person))}${rightsFields(visit, typed)}
<div class="actions">${primaryButton(say("save"))}</div>`;
  return card(say("rights"), screenForm(visit, { name: "save", body }));
}

async function view(
  visit: StoreVisit,
  person: PersonRecord,
  { typed, made }: { readonly typed?: URLSearchParams; readonly made?: Html } = {},
): Promise<View> {
  const { say } = visit.language;
  const { access, last_seen_at, invited_by, created_at } = shownPerson(person);
  const buttons = isAbove(person, visit.access)
    ? html`<p class="notice plain">${say("person_above")}</p>`
    : html`<div class="actions">${
        canInvite(visit)
          ? buttonForm(visit, {
              name: "link",
              action: "people.invite",
              label: "person_link",
              kind: "",
            })
          : null
      }${actionLink(visit, "people.end", {
        label: "person_end",
        address: inStore(visit, ["people", person.id, "end"]),
        kind: "danger",
      })}</div>`;
  return {
    title: person.name,
    crumbs: crumbs(visit),
    body: html`${made ?? null}${facts([
      [say("rights"), rightsText(visit, access)],
      [say("invited_by"), invited_by ?? say("made_by_host")],
      [say("created_at"), timeTag(visit, created_at)],
      [
        say("last_seen"),
        last_seen_at === null ? say("person_invited") : timeTag(visit, last_seen_at),
      ],
    ])}${buttons}${rightsForm(visit, person, typed ?? typedRights(access))}
${passkeyList(visit, person)}
${await historyCard(visit, { type: "person", id: person.id })}`,
  };
}

/** Shows the page again with what the call has refused. */
async function orRefused(
  visit: StoreVisit,
  fields: URLSearchParams,
  send: (person: PersonRecord) => Promise<FormResult>,
): Promise<FormResult> {
  const person = await findVisited(visit);
  try {
    return await send(person);
  } catch (error) {
    if (!isApiError(error) || error.code !== "parameter_invalid") throw error;
    const alert = explain(visit.language, error);
    return {
      kind: "view",
      status: 422,
      view: { ...(await view(visit, person, { typed: fields })), alert },
    };
  }
}

const saveRights = (visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> =>
  orRefused(visit, fields, async (person) => {
    const { say } = visit.language;
    const refuse = async (status: number, alert: string): Promise<FormResult> => {
      const shown = await view(visit, person, { typed: fields });
      return { kind: "view", status, view: { ...shown, alert } };
    };
    if (fields.get(marksField) !== markOfRights(person)) return refuse(409, say("form_changed"));
    const access = readTypedRights(fields);
    if (access === null) return refuse(422, say("fault_rights"));
    await updatePerson(visit.parts, { ...nameOf(person), access }, signedBy(visit));
    return { kind: "done", address: visit.path, message: "done_saved" };
  });

const nameOf = ({ store_id, id }: PersonRecord) => ({ store_id, id });

export const personScreen: Screen = {
  path: "people/{id}",
  section: "people",
  action: null,
  show: async (visit) => view(visit, await findVisited(visit)),
  forms: {
    save: {
      action: "people.update",
      send: saveRights,
      again: async (visit, typed) => view(visit, await findVisited(visit), { typed }),
    },
    link: {
      action: "people.invite",
      send: (visit, fields) =>
        orRefused(visit, fields, async (person) => {
          if (!canInvite(visit)) {
            const alert = visit.language.say("person_invite_by_link");
            return { kind: "view", status: 422, view: { ...(await view(visit, person)), alert } };
          }
          const link = await linkPerson(visit, nameOf(person), signedBy(visit));
          const made = invitedCard(visit, link);
          return { kind: "view", status: 200, view: await view(visit, person, { made }) };
        }),
    },
    remove: {
      action: "people.update",
      async send(visit, fields) {
        const { parts, signer, path } = visit;
        const person = await findVisited(visit);
        if (isAbove(person, visit.access)) fail("resource_not_found", { param: "id" });
        const records = await parts.recordsAs(signer, "people.update");
        const passkey = fields.get("passkey") ?? "";
        const except = visit.session?.hash ?? null;
        await removePasskey(parts, records, { person, passkey, except, maker: signedBy(visit) });
        return { kind: "done", address: path, message: "done_passkey_removed" };
      },
    },
  },
};

export const endPersonScreen: Screen = confirmScreen({
  path: "people/{id}/end",
  section: "people",
  action: "people.end",
  async ask(visit) {
    const { say } = visit.language;
    const person = await findVisited(visit);
    const back = inStore(visit, ["people", person.id]);
    const theirs = invitedBy(await listPeople(visit.parts, person.store_id), person.id);
    const isOwnInviter = theirs.some(({ id }) => id === visit.maker?.hash);
    const above = theirs.some((each) => isAbove(each, visit.access)) ? say("fault_above") : null;
    const refusal = isOwnInviter ? say("person_end_inviter") : above;
    const boxes = theirs.map(({ id, name }) =>
      checkbox(`keep-${id}`, "keep", { value: id, label: name, checked: false }),
    );
    const names = theirs.map(({ name }) => name).sort();
    const others =
      names.length === 0 ? [] : [say("person_end_others", { names: names.join(", ") })];
    return {
      title: say("person_end_title", { name: person.name }),
      text: [say("person_end_text"), ...others],
      button: "person_end",
      crumbs: [...crumbs(visit), { label: person.name, address: back }],
      back,
      refusal: isAbove(person, visit.access) ? say("person_above") : refusal,
      ...(boxes.length > 0 && {
        fields: html`<fieldset class="field">
<legend>${say("person_keep")}</legend>${boxes}</fieldset>`,
      }),
    };
  },
  async run(visit, fields) {
    const person = await findVisited(visit);
    const keep = fields.getAll("keep");
    await endPerson(visit.parts, { ...nameOf(person), keep }, signedBy(visit));
    return { kind: "done", address: inStore(visit, ["people"]), message: "done_person_ended" };
  },
});
