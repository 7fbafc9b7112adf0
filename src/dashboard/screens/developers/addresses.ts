import { isApiError } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { DashboardAction } from "../../../owner/actions.ts";
import type { OwnerAddresses } from "../../../owner/addresses.ts";
import { may } from "../../access/access.ts";
import { buttonForm, card, screenForm, table } from "../../frame/elements.ts";
import { explain } from "../../frame/explain.ts";
import type { FormResult, Screen, ScreenForm, StoreVisit, View } from "../../screen.ts";

/** A store has these two lists of addresses. */
const lists = {
  origin: { add: "origins.add", remove: "origins.remove" },
  return_url: { add: "return_urls.add", remove: "return_urls.remove" },
} as const satisfies Record<string, Readonly<Record<"add" | "remove", DashboardAction>>>;

type ListName = keyof typeof lists;

const listOf = ({ parts }: StoreVisit, name: ListName): OwnerAddresses =>
  name === "origin" ? parts.owner.origins : parts.owner.returnUrls;

/** What was typed into one of the two forms, and what is wrong with it. */
interface Typed {
  readonly list: ListName;
  readonly value: string;
  /** What is wrong with it. Null when nothing is. */
  readonly fault: string | null;
}

async function listCard(visit: StoreVisit, name: ListName, typed: Typed | null): Promise<Html> {
  const { say } = visit.language;
  const addresses = await listOf(visit, name).list(visit.store.id);
  const own = typed?.list === name ? typed : null;
  const fault = own?.fault ?? null;
  const rows = addresses.map((address) => [
    html`<code>${address}</code>`,
    buttonForm(visit, {
      name: `remove_${name}`,
      action: lists[name].remove,
      label: "remove",
      about: address,
      fields: { address },
    }),
  ]);

  const input = html`<div class="row"><div class="field">
<label for="${name}">${say(`${name}_new`)}</label>
<p class="soft" id="${name}-hint">${say(`${name}_hint`)}</p>
<input id="${name}" name="address" type="url" value="${own?.value ?? ""}"
aria-describedby="${fault === null ? "" : `${name}-error `}${name}-hint">
${fault && html`<p class="error" id="${name}-error" role="alert">${fault}</p>`}</div>
<button class="button">${say("add")}</button></div>`;
  const columns = [say("address"), say("actions")];
  const listed = table({ caption: say(`${name}_title`), columns, rows });
  const mayAdd = may(visit.access, lists[name].add);
  return card(
    say(`${name}_title`),
    html`<p class="soft">${say(`${name}_text`)}</p>
${rows.length === 0 ? html`<p>${say("addresses_none")}</p>` : listed}
${mayAdd ? screenForm(visit, { name: `add_${name}`, body: input }) : null}`,
  );
}

const view = async (visit: StoreVisit, typed: Typed | null): Promise<View> => ({
  title: visit.language.say("section_addresses"),
  body: html`<div class="cards">${await listCard(visit, "origin", typed)}
${await listCard(visit, "return_url", typed)}</div>`,
});

const adding = (list: ListName): ScreenForm => ({
  action: lists[list].add,
  async send(visit, fields): Promise<FormResult> {
    const value = fields.get("address")?.trim() ?? "";
    try {
      await listOf(visit, list).add(visit.store.id, value);
      return { kind: "done", address: visit.path, message: "done_added" };
    } catch (error) {
      if (!isApiError(error) || error.param !== list) throw error;
      const fault = explain(visit.language, error);
      return { kind: "view", status: 422, view: await view(visit, { list, value, fault }) };
    }
  },
  again: (visit, fields) => view(visit, { list, value: fields.get("address") ?? "", fault: null }),
});

const removing = (list: ListName): ScreenForm => ({
  action: lists[list].remove,
  async send(visit, fields): Promise<FormResult> {
    await listOf(visit, list).remove(visit.store.id, fields.get("address") ?? "");
    return { kind: "done", address: visit.path, message: "done_removed" };
  },
});

export const addressesScreen: Screen = {
  path: "addresses",
  section: "addresses",
  action: null,
  show: (visit) => view(visit, null),
  forms: {
    add_origin: adding("origin"),
    remove_origin: removing("origin"),
    add_return_url: adding("return_url"),
    remove_return_url: removing("return_url"),
  },
};
