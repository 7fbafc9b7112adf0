import { html } from "../../contract/html.ts";
import { type OwnerStore, StoreChanges } from "../../owner/stores.ts";
import { type FormSpec, type FormState, storedForm, typedForm } from "../forms/form.ts";
import type { Field, Values } from "../forms/form-field.ts";
import { renderForm } from "../forms/render-form.ts";
import { card, codeBox } from "../frame/elements.ts";
import { regionOptions } from "../frame/regions.ts";
import type { Screen, StoreVisit, View } from "../screen.ts";

/** A setting that is left out stays as it is, so the schema says of none that it is required. */
const Settings = StoreChanges.required({
  name: true,
  currency: true,
  locale: true,
  timezone: true,
});

const settingsForm = (visit: StoreVisit): FormSpec<typeof Settings> => ({
  name: "save",
  action: "stores.update",
  schema: Settings,
  submit: "save",
  groups: [
    {
      title: "group_sale",
      fields: [
        {
          name: "headless_enabled",
          label: "headless_enabled",
          hint: "headless_enabled_hint",
          kind: "check",
        },
        { name: "maintenance", label: "maintenance", hint: "maintenance_hint", kind: "check" },
      ],
    },
    {
      title: "group_brand",
      fields: [
        { name: "name", label: "store_name", kind: "text" },
        { name: "description", label: "description", kind: "area" },
        { name: "logo_url", label: "logo_url", hint: "logo_url_hint", kind: "text", type: "url" },
        { name: "website_url", label: "website_url", kind: "text", type: "url" },
      ],
    },
    {
      title: "group_help",
      fields: [
        { name: "support_email", label: "support_email", kind: "text", type: "email" },
        { name: "support_url", label: "support_url", kind: "text", type: "url" },
        { name: "terms_url", label: "terms_url", kind: "text", type: "url" },
        { name: "privacy_url", label: "privacy_url", kind: "text", type: "url" },
      ],
    },
    {
      title: "group_place",
      fields: [
        placeField(visit, "currency"),
        placeField(visit, "country"),
        placeField(visit, "locale"),
        placeField(visit, "timezone"),
      ],
    },
  ],
});

/** Chooses a part of the place from a list. The place may have no country. */
function placeField(
  { language, store }: StoreVisit,
  name: "currency" | "country" | "locale" | "timezone",
): Field {
  const options = regionOptions(name, language.locale, store[name] ?? "");
  const none = { value: "", label: language.say("store_country_none") };
  const list = name === "country" ? [none, ...options] : options;
  return { name, label: `store_${name}`, kind: "choice", options: list };
}

const valuesOf = (store: OwnerStore): Values => ({
  headless_enabled: store.headless_enabled ? ["yes"] : [],
  maintenance: store.maintenance ? ["yes"] : [],
  name: [store.name],
  description: [store.description ?? ""],
  logo_url: [store.logo_url ?? ""],
  website_url: [store.website_url ?? ""],
  support_email: [store.support_email ?? ""],
  support_url: [store.support_url ?? ""],
  terms_url: [store.terms_url ?? ""],
  privacy_url: [store.privacy_url ?? ""],
  currency: [store.currency],
  country: [store.country ?? ""],
  locale: [store.locale],
  timezone: [store.timezone],
});

const view = (visit: StoreVisit, state: FormState): View => {
  const { say } = visit.language;
  return {
    title: say("section_settings"),
    lead: say("settings_lead"),
    body: html`${renderForm(visit, settingsForm(visit), state)}
${card(say("more"), codeBox(visit, { id: "store-id", label: say("id"), value: visit.store.id }))}`,
  };
};

export const settingsScreen: Screen = {
  path: "settings",
  section: "settings",
  action: null,
  show: async (visit) => view(visit, storedForm(valuesOf(visit.store))),
  forms: {
    save: typedForm({
      action: "stores.update",
      find: ({ parts, store }) => parts.owner.stores.retrieve(store.id),
      spec: settingsForm,
      show: (visit, _store, state) => view(visit, state),
      stored: (_visit, store) => valuesOf(store),
      async work(visit, store, input) {
        await visit.parts.owner.stores.update(store.id, input, { expected: store });
        return { kind: "done", address: visit.path, message: "done_saved" };
      },
    }),
  },
};
