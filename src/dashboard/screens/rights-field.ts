import { type Html, html, raw } from "../../contract/html.ts";
import { dashboardActions, isDashboardAction } from "../../owner/actions.ts";
import { isWithin, may, type Rights } from "../access/access.ts";
import { checkbox } from "../forms/render-form.ts";
import { fold } from "../frame/elements.ts";
import type { StoreVisit } from "../screen.ts";

/** Says in words what someone may do. Chosen actions are listed in a fold. */
export function rightsText({ language }: StoreVisit, rights: Rights): Html | string {
  if (typeof rights === "string") return language.say(`rights_${rights}`);

  const each = rights.map((action) => html`<li>${language.say(`may_${action}`)}</li>`);
  return fold(language.sayCount("rights_count", rights.length), html`<ul>${each}</ul>`);
}

/** Sorts by rights: everything, then read only, then the number of chosen actions. */
export const rightsKey = (rights: Rights): number =>
  typeof rights === "string" ? { all: -2, read: -1 }[rights] : rights.length;

/** Asks for rights. Those that the sender lacks are not offered, and the call refuses them too. */
export function rightsFields(visit: StoreVisit, typed: URLSearchParams): Html {
  const { access, language } = visit;
  const { say } = language;
  const chosen = typed.get("rights") ?? "read";
  const kinds = (["read", "all", "some"] as const).filter(
    (kind) => kind !== "all" || isWithin("all", access.access),
  );
  const actions = Object.keys(dashboardActions)
    .filter(isDashboardAction)
    .filter((action) => may(access, action));
  return html`<div class="field"><label for="rights">${say("rights")}</label>
<select id="rights" name="rights">${kinds.map(
    (kind) =>
      html`<option value="${kind}"
${raw(kind === chosen ? "selected" : "")}>${say(`rights_${kind}`)}</option>`,
  )}</select></div>
<details class="field" ${raw(chosen === "some" ? "open" : "")}><summary>${say(
    "rights_choose",
  )}</summary><div class="columns">${actions.map((action) =>
    checkbox(`right-${action}`, "action", {
      value: action,
      label: say(`may_${action}`),
      checked: typed.getAll("action").includes(action),
    }),
  )}</div></details>`;
}

/** Gives the fields as they would be typed for these rights. */
export const typedRights = (rights: Rights): URLSearchParams =>
  new URLSearchParams(
    typeof rights === "string"
      ? { rights }
      : [["rights", "some"], ...rights.map((action) => ["action", action])],
  );

/** Reads the rights of a form. Gives null when none is chosen. */
export function readTypedRights(fields: URLSearchParams): Rights | null {
  const kind = fields.get("rights");
  if (kind === "all" || kind === "read") return kind;

  const chosen = fields.getAll("action").filter(isDashboardAction);
  return chosen.length === 0 ? null : chosen;
}
