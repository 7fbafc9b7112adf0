import { fail } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import { publishableScopes, scopes } from "../../../contract/scopes.ts";
import { hourMs } from "../../../domain/durations.ts";
import { type KeyInfo, KeyInput } from "../../../owner/keys.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import {
  type FormSpec,
  type FormState,
  freshForm,
  nothingYet,
  typedForm,
} from "../../forms/form.ts";
import { renderForm } from "../../forms/render-form.ts";
import {
  actionLink,
  badge,
  card,
  codeBox,
  emptyList,
  facts,
  notice,
  table,
} from "../../frame/elements.ts";
import { timeOf, wholeList } from "../../lists/whole-lists.ts";
import type { Crumb, Screen, StoreVisit, View } from "../../screen.ts";
import { historyCard } from "../../sentences/history.ts";
import { confirmScreen } from "../confirm.ts";

const keysOf = async ({ parts, store, livemode }: StoreVisit): Promise<readonly KeyInfo[]> =>
  (await parts.owner.keys.list(store.id)).filter((key) => key.livemode === livemode);

const crumbs = (visit: StoreVisit): readonly Crumb[] => [
  { label: visit.language.say("section_keys"), address: inStore(visit, ["keys"]) },
];

const findKey = async (visit: StoreVisit): Promise<KeyInfo> => {
  const found = (await keysOf(visit)).find((key) => key.id === visit.params["id"]);
  return found ?? fail("resource_not_found", { param: "key_id" });
};

const stateOf = ({ language: { say } }: StoreVisit, { revoked_at }: KeyInfo): Html =>
  revoked_at === null ? badge("good", say("state_valid")) : badge("bad", say("state_revoked"));

const revokeLink = (visit: StoreVisit, key: KeyInfo, kind: "small" | "danger"): Html | null =>
  key.revoked_at === null
    ? actionLink(visit, "keys.revoke", {
        label: "revoke",
        address: inStore(visit, ["keys", key.id, "revoke"]),
        kind,
      })
    : null;

export const keysScreen: Screen = {
  path: "keys",
  section: "keys",
  action: null,

  async show(visit) {
    const { say } = visit.language;
    const keys = await keysOf(visit);
    const create = actionLink(visit, "keys.create", {
      label: "key_create",
      address: inStore(visit, ["keys", "new"]),
      kind: "primary",
    });

    const { columns, rows: sorted } = wholeList(visit, keys, {
      name: { label: say("name"), keyOf: ({ name }) => name },
      kind: { label: say("key_kind"), keyOf: ({ kind }) => say(`key_${kind}`) },
      created: { label: say("created_at"), keyOf: ({ created_at }) => Date.parse(created_at) },
      used: { label: say("key_last_used"), keyOf: ({ last_used_at }) => timeOf(last_used_at) },
      state: { label: say("state"), keyOf: ({ revoked_at }) => Number(revoked_at !== null) },
      actions: { label: say("actions") },
    });
    const rows = sorted.map((key) => [
      html`<a href="${inStore(visit, ["keys", key.id])}">${key.name}</a>
<small><code>…${key.last4}</code></small>`,
      say(`key_${key.kind}`),
      timeTag(visit, key.created_at),
      key.last_used_at === null ? say("never") : timeTag(visit, key.last_used_at),
      stateOf(visit, key),
      revokeLink(visit, key, "small"),
    ]);
    return {
      title: say("section_keys"),
      lead: say("keys_lead"),
      primary: rows.length === 0 ? null : create,
      body:
        rows.length === 0
          ? emptyList(say("keys_empty_title"), say("keys_empty_text"), create)
          : table({ caption: say("section_keys"), columns, rows }),
    };
  },
};

const keyForm = ({ language }: StoreVisit): FormSpec<typeof KeyInput> => ({
  name: "create",
  action: "keys.create",
  schema: KeyInput,
  submit: "key_create",
  groups: [
    {
      title: null,
      fields: [
        { name: "name", label: "name", hint: "key_name_hint", kind: "text" },
        {
          name: "kind",
          label: "key_kind",
          hint: "key_kind_hint",
          kind: "choice",
          options: (["publishable", "secret"] as const).map((value) => ({
            value,
            label: language.say(`key_${value}`),
          })),
        },
        {
          name: "scopes",
          label: "key_scopes",
          hint: "key_scopes_hint",
          kind: "many",
          options: scopes.map((value) => ({ value, label: value })),
        },
      ],
    },
  ],
});

const newView = (visit: StoreVisit, state: FormState): View => ({
  title: visit.language.say("key_create"),
  crumbs: crumbs(visit),
  body: renderForm(visit, keyForm(visit), state),
});

/** The key stands in this answer alone: no address shows it again. */
const createdView = (visit: StoreVisit, key: string): View => {
  const { say } = visit.language;
  return {
    title: say("key_created_title"),
    crumbs: crumbs(visit),
    body: html`${notice("warn", say("secret_once"))}
<div class="card">${codeBox(visit, { id: "new-key", label: say("key"), value: key })}</div>
<div class="actions"><a class="button primary"
href="${inStore(visit, ["keys"])}">${say("secret_kept")}</a></div>`,
  };
};

export const newKeyScreen: Screen = {
  path: "keys/new",
  section: "keys",
  action: "keys.create",
  show: async (visit) => newView(visit, freshForm({ scopes: publishableScopes })),
  forms: {
    create: typedForm({
      action: "keys.create",
      find: nothingYet,
      spec: keyForm,
      show: (visit, _row, state) => newView(visit, state),
      async work(visit, _row, input) {
        const { store, livemode, parts } = visit;
        // Without a choice a key may do all that its kind can.
        const wanted = input.scopes?.length ? input.scopes : null;
        const own = { ...input, scopes: wanted, store_id: store.id, livemode };
        const { key } = await parts.owner.keys.create(own);
        return { kind: "view", status: 200, view: createdView(visit, key) };
      },
    }),
  },
};

/** Shows what a key may do, and what people did to it. The key itself is stored nowhere. */
export const keyScreen: Screen = {
  path: "keys/{id}",
  section: "keys",
  action: null,

  async show(visit) {
    const { say } = visit.language;
    const key = await findKey(visit);
    const { id, kind, last4, last_used_at, created_at } = key;
    const about = facts([
      [say("key_kind"), say(`key_${kind}`)],
      [say("key_end"), html`<code>…${last4}</code>`],
      [say("key_scopes"), html`${key.scopes.map((scope) => html`<code>${scope}</code> `)}`],
      [say("created_at"), timeTag(visit, created_at)],
      [say("key_last_used"), last_used_at === null ? say("never") : timeTag(visit, last_used_at)],
    ]);
    const revoke = revokeLink(visit, key, "danger");
    return {
      title: key.name,
      crumbs: crumbs(visit),
      lead: stateOf(visit, key),
      body: html`${card(null, about)}${await historyCard(visit, { type: "api_key", id })}
${card(
  say("more"),
  html`${codeBox(visit, { id: "key-id", label: say("id"), value: id })}
${revoke === null ? null : html`<div class="actions">${revoke}</div>`}`,
)}`,
    };
  },
};

/** Tells when the key was last used. The stored time may be an hour behind. */
function usageText({ parts, language }: StoreVisit, { last_used_at }: KeyInfo): string {
  const { say, locale } = language;
  if (last_used_at === null) return say("key_unused_text");

  const hours = Math.floor((parts.now() - Date.parse(last_used_at)) / hourMs);
  if (hours < 1) return say("key_in_use_text");
  return say("key_used_text", { ago: agoText(hours, locale) });
}

function agoText(hours: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale);
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.floor(hours / 24), "day");
}

export const revokeKeyScreen = confirmScreen({
  path: "keys/{id}/revoke",
  section: "keys",
  action: "keys.revoke",
  async ask(visit) {
    const { say } = visit.language;
    const key = await findKey(visit);
    const text = key.kind === "secret" ? "key_revoke_secret_text" : "key_revoke_publishable_text";
    return {
      title: say("key_revoke_title", { name: key.name }),
      text: [usageText(visit, key), say(text, { end: key.last4 })],
      button: "revoke",
      crumbs: crumbs(visit),
      back: inStore(visit, ["keys"]),
    };
  },
  async run(visit) {
    const { parts, store } = visit;
    await parts.owner.keys.revoke(store.id, (await findKey(visit)).id);
    return { kind: "done", address: inStore(visit, ["keys"]), message: "done_revoked" };
  },
});
