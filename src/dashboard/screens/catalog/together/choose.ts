import { type Html, html, raw } from "../../../../contract/html.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { may } from "../../../access/access.ts";
import { inStore, placeQuery, withPlace } from "../../../addresses.ts";
import { fullName } from "../../../format.ts";
import type { StoreVisit } from "../../../screen.ts";
import { listField } from "./list-left.ts";
import { workNames, works } from "./works.ts";

/** The boxes of the rows belong to this form, so that a row may have a form of its own. */
const formId = "together";

const mayChange = ({ access }: StoreVisit): boolean => may(access, "products.update");

/** The query parameter that chooses every row of the page. */
const chooseAll = "choose_all";

const isAllChosen = ({ query }: StoreVisit): boolean => query.has(chooseAll);

/** Renders the box that chooses a row. Gives null to one who may not change products. */
export const rowBox = (visit: StoreVisit, product: OwnerProduct): Html | null =>
  mayChange(visit)
    ? html`<input type="checkbox" class="choose" form="${formId}" name="id" value="${product.id}"
aria-label="${visit.language.say("together_choose", { name: fullName(product) })}"
${raw(isAllChosen(visit) ? "checked" : "")}>`
    : null;

/** Renders the form that leads to the work on the chosen rows. */
export function togetherBar(visit: StoreVisit): Html | null {
  if (!mayChange(visit)) return null;
  const { say } = visit.language;
  const options = workNames.map(
    (name) => html`<option value="${name}">${say(works[name].label)}</option>`,
  );
  const isAll = isAllChosen(visit);
  const list = new URLSearchParams(placeQuery(visit));
  list.delete(chooseAll);
  const left = listField(list.toString());
  if (!isAll) list.set(chooseAll, "1");
  const choose = html`<a href="${withPlace(visit.path, list.toString())}">${say(
    isAll ? "together_choose_none" : "together_choose_all",
  )}</a>`;

  return html`<form id="${formId}" class="together" method="get"
action="${inStore(visit, ["products", "together"])}">${left}
<label for="together-work">${say("together")}</label>
<select id="together-work" name="work">${options}</select>
<button class="button small">${say("together_go")}</button>${choose}</form>`;
}
