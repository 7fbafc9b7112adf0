import { type Html, html } from "../../../contract/html.ts";
import { inStore } from "../../addresses.ts";
import { badge, card, facts } from "../../frame/elements.ts";
import type { TextName } from "../../language.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { booksLink } from "../books.ts";
import { attention } from "./overview-attention.ts";
import { numbers } from "./overview-numbers.ts";
import { stepList, stepsToFirstSale } from "./overview-steps.ts";

/** Shows whether the store is on, off or in maintenance. */
function storeState(visit: StoreVisit): Html {
  const { store, language } = visit;
  const { say } = language;
  const state: readonly [tone: "good" | "warn" | "plain", name: TextName] = store.maintenance
    ? ["warn", "state_maintenance"]
    : store.headless_enabled
      ? ["good", "state_on_feminine"]
      : ["plain", "state_off_feminine"];
  return badge(state[0], say(state[1]));
}

/** Shows the currency, the language and the time zone that the store sells in. */
function about(visit: StoreVisit): Html {
  const { store, language } = visit;
  const { say } = language;
  const settings = html`<a href="${inStore(visit, ["settings"])}">${say("section_settings")}</a>`;
  return card(
    say("menu_store"),
    html`${facts([
      [say("currency"), store.currency],
      [say("store_locale"), store.locale],
      [say("store_timezone"), store.timezone],
      [say("id"), html`<code>${store.id}</code>`],
    ])}<p>${settings}</p>`,
  );
}

export const overviewScreen: Screen = {
  path: "",
  section: "overview",
  action: null,

  async show(visit) {
    const { parts, store, livemode } = visit;
    // The numbers take longest, so they are asked for first.
    const asked = numbers(visit);
    const endpoints = parts.owner.endpoints.list({ store_id: store.id, livemode });
    const [figures, steps, needs] = await Promise.all([
      asked,
      stepsToFirstSale(visit, endpoints),
      attention(visit, endpoints),
    ]);
    const way = steps.length === 0 ? null : stepList(visit, steps);
    const calm = needs.isEmpty ? needs.body : null;
    return {
      title: visit.language.say("section_overview"),
      lead: storeState(visit),
      body: html`${way}${needs.isEmpty ? null : needs.body}${figures}
${booksLink(visit)}
<div class="cards">${calm}${about(visit)}</div>`,
    };
  },
};
