import { html } from "../../contract/html.ts";
import { actions, isAction } from "../../owner/actions.ts";
import { type AuditSubject, auditSubjects } from "../../rules/audit/audit-records.ts";
import { timeTag } from "../format.ts";
import { filterForm, filtersOf, pinned, rangeFields, readRange } from "../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../lists/sorts.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { aboutFilter, entryText } from "../sentences/history.ts";
import { phrase } from "../sentences/phrase.ts";
import { readSubjects, subjectText } from "../sentences/subjects.ts";
import { emptyPage, listBody, pageQuery } from "./lists.ts";

const actionNames = Object.keys(actions).filter(isAction).sort();

/** Reads `product/prod_…`, the record whose history is shown. */
function subjectIn(about: string | undefined): AuditSubject | null {
  const [name = "", ...rest] = (about ?? "").split("/");
  const type = auditSubjects.find((each) => each === name);
  const id = rest.join("/").slice(0, 600);
  return type === undefined || id === "" ? null : { type, id };
}

/** Names the record whose history is shown. */
async function leadOf(visit: StoreVisit, subject: AuditSubject) {
  const entry = { subject, livemode: null };
  const known = (await readSubjects(visit, [entry]))(entry);
  const named = subjectText(visit, known, { word: "subject", name: null });
  return html`${phrase(visit.language, "history_of", { subject: named })}`;
}

export const auditScreen: Screen = {
  path: "audit",
  section: "audit",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["actor", "action", "from", "to", aboutFilter, sortFilter]);
    const range = readRange(visit, filters);
    const action = actionNames.find((name) => name === filters["action"]) ?? null;
    const actor = filters["actor"]?.slice(0, 255);
    const subject = subjectIn(filters[aboutFilter]);
    const filter = { actor, action, subject, sort: ageSortOf(filters) };
    const wanted = { store_id: store.id, ...filter, ...pageQuery(visit) };
    const page =
      typeof range === "string" ? emptyPage : await parts.owner.audit.list({ ...wanted, ...range });
    const subjectOf = await readSubjects(visit, page.data);

    const options = [
      { value: "", label: say("filter_all_feminine") },
      ...actionNames
        .map((value) => ({ value, label: say(`may_${value}`) }))
        .sort((one, other) => one.label.localeCompare(other.label, language.locale)),
    ];
    const caption = say("section_audit");
    const fields = filterForm(visit, filters, [
      { name: "actor", label: "actor", kind: "search" },
      { name: "action", label: "audit_action", kind: "choice", options },
      ...rangeFields,
    ]);
    const body = listBody(visit, {
      caption,
      columns: [say("audit_what"), dateHead(visit, filters)],
      rows: page.data.map((entry) => [
        entryText(visit, entry, subjectOf),
        timeTag(visit, entry.created_at),
      ]),
      page,
      filters,
      tools: html`${fields}
${pinned(visit, filters, { name: aboutFilter, label: "audit_subject" })}`,
      fault: typeof range === "string" ? range : null,
      empty: { title: "audit_empty_title", text: "audit_empty_text" },
    });
    const lead = subject === null ? say("audit_lead") : await leadOf(visit, subject);
    return { title: caption, lead, body };
  },
};
