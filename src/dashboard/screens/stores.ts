import { isApiError } from "../../contract/errors.ts";
import { type Html, html } from "../../contract/html.ts";
import type { Page } from "../../contract/routes.ts";
import { searchStores } from "../../owner/store-search.ts";
import type { OwnerStore } from "../../owner/stores.ts";
import { may } from "../access/access.ts";
import { below } from "../addresses.ts";
import { optionList } from "../forms/render-form.ts";
import { badge, notice, primaryButton, type Row, screenForm } from "../frame/elements.ts";
import { explain } from "../frame/explain.ts";
import { regionOptions } from "../frame/regions.ts";
import { filterForm, filtersOf } from "../lists/filters.ts";
import type { FormResult, Screen, View, Visit } from "../screen.ts";
import { listBody, pageQuery } from "./lists.ts";

/** One page of a search looks at this many stores of a list of the host's. */
const mostSearched = 200;

/** Lists the stores within reach, or those of them that the search finds. */
async function reachable(visit: Visit, search: string | undefined): Promise<Page<OwnerStore>> {
  const { parts, access } = visit;
  const page = pageQuery(visit);
  if (access.stores === "all") return parts.owner.stores.list({ ...page, search });

  const ids = [...access.stores].sort();
  const range = { after: page.starting_after ?? null, limit: page.limit };
  if (search === undefined) return readListed(visit, ids, range);
  return searchStores(
    { search, ...range },
    { findNamed: null, read: (part) => readListed(visit, ids, part), most: mostSearched },
  );
}

/** Reads stores of a list of ids. The ids are the host's: one that names no store is left out. */
async function readListed(
  visit: Visit,
  ids: readonly string[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Page<OwnerStore>> {
  const rest = ids.filter((id) => id > (after ?? ""));
  const shown = rest.slice(0, limit);
  const found = await Promise.all(shown.map((id) => findStore(visit, id)));
  const has_more = rest.length > limit;
  return {
    data: found.flatMap((store) => store ?? []),
    has_more,
    next_cursor: has_more ? (shown.at(-1) ?? null) : null,
  };
}

async function findStore({ parts }: Visit, id: string): Promise<OwnerStore | null> {
  try {
    return await parts.owner.stores.retrieve(id);
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return null;
    throw error;
  }
}

const mayCreate = ({ access }: Visit): boolean =>
  access.stores === "all" && may(access, "stores.create");

export const storesScreen: Screen<Visit> = {
  path: "",
  section: null,
  action: null,

  async show(visit) {
    const { say } = visit.language;
    const filters = filtersOf(visit, ["search"]);
    const page = await reachable(visit, filters["search"]);
    const create = mayCreate(visit)
      ? html`<a class="button primary"
href="${below(visit.settings, "new")}">${say("store_create")}</a>`
      : null;

    const caption = say("stores_title");
    const body = listBody(visit, {
      caption,
      columns: [say("name"), say("currency"), say("state")],
      rows: page.data.map((store) => rowOf(visit, store)),
      page,
      filters,
      tools: filterForm(visit, filters, [
        { name: "search", label: "stores_search", hint: "stores_search_hint", kind: "search" },
      ]),
      empty: { title: "stores_empty_title", text: "stores_empty_text", action: create },
    });
    const isEmpty = page.data.length === 0 && Object.keys(filters).length === 0;
    return { title: caption, primary: isEmpty ? null : create, body };
  },
};

function rowOf({ language, settings, parts }: Visit, store: OwnerStore): Row {
  const { say } = language;
  const mode = parts.modes.live ? "live" : "test";
  const state = store.maintenance
    ? badge("warn", say("state_maintenance"))
    : store.headless_enabled
      ? badge("good", say("state_on_feminine"))
      : badge("plain", say("state_off_feminine"));
  return [
    html`<a href="${below(settings, store.id, mode)}">${store.name}</a>
<small>${store.id}</small>`,
    store.currency,
    state,
  ];
}

const fieldNames = ["name", "currency", "country", "locale", "timezone"] as const;

const nameField = ({ language: { say } }: Visit, value: string): Html =>
  html`<div class="field"><label for="name">${say("store_name")}</label>
<p class="soft" id="name-hint">${say("store_name_hint")}</p>
<input id="name" name="name" value="${value}" aria-describedby="name-hint"></div>`;

/** Nothing is chosen at first where a wrong guess would cost: a store's currency and country. */
function placeField(
  { language }: Visit,
  name: Exclude<(typeof fieldNames)[number], "name">,
  value: string,
): Html {
  const none = { value: "", label: language.say("store_country_none") };
  const listed = regionOptions(name, language.locale, value);
  const options = name === "currency" || name === "country" ? [none, ...listed] : listed;
  return html`<div class="field"><label for="${name}">${language.say(`store_${name}`)}</label>
<select id="${name}" name="${name}">${optionList(options, value)}</select></div>`;
}

/** The form of a new store has the few fields that cannot wait. */
function createView(visit: Visit, fields: URLSearchParams, fault: string | null): View {
  const { say, locale } = visit.language;
  const defaults: Readonly<Record<string, string>> = { locale, timezone: "UTC" };
  const inputs = fieldNames.map((name) => {
    const value = fields.get(name) ?? defaults[name] ?? "";
    return name === "name" ? nameField(visit, value) : placeField(visit, name, value);
  });
  return {
    title: say("store_create"),
    crumbs: [{ label: say("stores_title"), address: below(visit.settings) }],
    body: html`${fault === null ? null : notice("bad", fault)}${screenForm(visit, {
      name: "create",
      className: "fields",
      body: html`<div class="card">${inputs}</div>
<div class="actions">${primaryButton(say("store_create"))}</div>`,
    })}`,
  };
}

export const newStoreScreen: Screen<Visit> = {
  path: "new",
  section: null,
  action: "stores.create",
  show: async (visit) => createView(visit, new URLSearchParams(), null),
  forms: {
    create: {
      action: "stores.create",
      again: async (visit, fields) => createView(visit, fields, null),
      async send(visit, fields): Promise<FormResult> {
        const refuse = (status: number, fault: string): FormResult => ({
          kind: "view",
          status,
          view: createView(visit, fields, fault),
        });
        if (!mayCreate(visit)) return refuse(403, visit.language.say("forbidden_next"));

        const typed = (name: (typeof fieldNames)[number]): string => fields.get(name)?.trim() ?? "";
        try {
          const store = await visit.parts.owner.stores.create({
            name: typed("name"),
            currency: typed("currency"),
            country: typed("country") || null,
            locale: typed("locale") || undefined,
            timezone: typed("timezone") || undefined,
          });
          const mode = visit.parts.modes.test ? "test" : "live";
          return {
            kind: "done",
            address: below(visit.settings, store.id, mode),
            message: "done_store_created",
          };
        } catch (error) {
          if (!isApiError(error) || error.param === null) throw error;
          const name = fieldNames.find((field) => field === error.param);
          const label = name ? `${visit.language.say(`store_${name}`)}: ` : "";
          return refuse(422, label + explain(visit.language, error));
        }
      },
    },
  },
};
