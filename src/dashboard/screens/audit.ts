import { type Html, html } from "../../contract/html.ts";
import { type Action, actions } from "../../owner/actions.ts";
import type { AuditEntry } from "../../owner/audit.ts";
import { filterForm, filtersOf, rangeFields, readRange } from "../filters.ts";
import { timeTag } from "../format.ts";
import { badge } from "../frame/elements.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { emptyPage, listBody, pageQuery } from "./lists.ts";

const isAction = (name: string): name is Action => Object.hasOwn(actions, name);
const actionNames = Object.keys(actions).filter(isAction).sort();

/** Lists the fields that changed. Their values are in a part below that one can open. */
function changes({ language }: StoreVisit, entry: AuditEntry): Html | string {
  const { say } = language;
  const { before, after, withheld } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length + withheld.length === 0) return "—";

  const part = (label: string, values: AuditEntry["before"]): Html | null =>
    values === null
      ? null
      : html`<p class="soft">${label}</p><pre>${JSON.stringify(values, null, 2)}</pre>`;
  const kept =
    withheld.length === 0
      ? null
      : html`<p class="soft">${say("audit_withheld", { names: withheld.join(", ") })}</p>`;
  return html`<details><summary>${[...names, ...withheld].join(", ")}</summary>
${part(say("audit_before"), before)}${part(say("audit_after"), after)}${kept}</details>`;
}

/** Tells that an assistant has acted, or who made the link that has given the actor's name. */
function viaText({ language }: StoreVisit, { via, made_by = null }: AuditEntry): Html | null {
  if (via === undefined) return null;
  const { say } = language;
  if (via === "mcp") return html`<small>${say("audit_via_mcp")}</small>`;
  return html`<small>${
    made_by === null ? say("audit_via_host_link") : say("audit_via_link", { maker: made_by })
  }</small>`;
}

const row = (visit: StoreVisit, entry: AuditEntry) => [
  html`<span><strong>${entry.action}</strong>
${entry.livemode === false ? badge("warn", visit.language.say("test")) : null}
<small>${entry.actor}</small>${viaText(visit, entry)}</span>`,
  html`<span>${entry.subject.type}<small>${entry.subject.id}</small></span>`,
  changes(visit, entry),
  timeTag(visit, entry.created_at),
];

export const auditScreen: Screen = {
  path: "audit",
  section: "audit",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["actor", "action", "from", "to"]);
    const range = readRange(visit, filters);
    const action = actionNames.find((name) => name === filters["action"]) ?? null;
    const actor = filters["actor"]?.slice(0, 255);
    const page =
      typeof range === "string"
        ? emptyPage
        : await parts.owner.audit.list({
            store_id: store.id,
            actor,
            action,
            ...pageQuery(visit),
            ...range,
          });

    const options = [
      { value: "", label: say("filter_all_feminine") },
      ...actionNames.map((value) => ({ value, label: value })),
    ];
    const caption = say("section_audit");
    const body = listBody(visit, {
      caption,
      columns: [say("audit_action"), say("audit_subject"), say("audit_changes"), say("created_at")],
      rows: page.data.map((entry) => row(visit, entry)),
      page,
      filters,
      tools: filterForm(visit, filters, [
        { name: "actor", label: "actor", kind: "search" },
        { name: "action", label: "audit_action", kind: "choice", options },
        ...rangeFields,
      ]),
      fault: typeof range === "string" ? range : null,
      empty: { title: "audit_empty_title", text: "audit_empty_text" },
    });
    return { title: caption, lead: say("audit_lead"), body };
  },
};
