import { type Html, html } from "../../contract/html.ts";
import type { AuditEntry } from "../../owner/audit.ts";
import type { AuditSubject } from "../../rules/audit/audit-records.ts";
import { inStore } from "../addresses.ts";
import { timeTag } from "../format.ts";
import { badge, card, codeText, facts, fold, jsonBlock } from "../frame/elements.ts";
import type { StoreVisit } from "../screen.ts";
import { sentenceOf } from "./sentence.ts";
import { readSubjects, type SubjectOf } from "./subjects.ts";

/** Says what an entry tells, and keeps its codes, ids and values in a fold. */
export const entryText = (visit: StoreVisit, entry: AuditEntry, subjectOf: SubjectOf): Html =>
  html`<p class="told">${sentenceOf(visit, entry, subjectOf(entry))}
${entry.livemode === false ? badge("warn", visit.language.say("test")) : null}</p>
${viaText(visit, entry)}${entryFold(visit, entry)}`;

/** Tells that an assistant has acted, or who made the link that has given the actor's name. */
function viaText({ language }: StoreVisit, { via, made_by = null }: AuditEntry): Html | null {
  if (via === undefined) return null;
  const { say } = language;
  if (via === "mcp") return html`<small>${say("audit_via_mcp")}</small>`;
  return html`<small>${
    made_by === null ? say("audit_via_host_link") : say("audit_via_link", { maker: made_by })
  }</small>`;
}

function entryFold({ language }: StoreVisit, entry: AuditEntry): Html {
  const { say } = language;
  const { action, subject, before, after, withheld, cut } = entry;
  const values = (label: string, part: AuditEntry["before"]): Html | null =>
    part === null || Object.keys(part).length === 0
      ? null
      : html`<p class="soft">${label}</p>${jsonBlock(part)}`;
  const names = (text: "audit_withheld" | "audit_cut", fields: readonly string[]): Html | null =>
    fields.length === 0
      ? null
      : html`<p class="soft">${say(text, { names: fields.join(", ") })}</p>`;

  return fold(
    say("details"),
    html`${facts([
      [say("audit_action"), codeText(action)],
      [say("audit_subject"), codeText(`${subject.type} ${subject.id}`)],
      [say("audit_id"), codeText(entry.id)],
    ])}${values(say("audit_before"), before)}${values(say("audit_after"), after)}
${names("audit_withheld", withheld)}${names("audit_cut", cut)}`,
  );
}

const mostShown = 10;

/** The address of the audit log has this filter: the kind of the record and its id. */
export const aboutFilter = "about";

export const auditAddress = (visit: StoreVisit, { type, id }: AuditSubject): string =>
  inStore(visit, ["audit"], { [aboutFilter]: `${type}/${id}` });

/** Tells what people did to one record, the newest first. `elsewhere` follows the list. */
export async function historyCard(
  visit: StoreVisit,
  subject: AuditSubject,
  elsewhere: Html | null = null,
): Promise<Html> {
  const { parts, store, language } = visit;
  const { say } = language;
  const query = { store_id: store.id, subject, limit: mostShown };
  const { data, has_more } = await parts.owner.audit.list(query);
  const subjectOf = await readSubjects(visit, data);

  const lines = data.map(
    (entry) => html`<li><div>${entryText(visit, entry, subjectOf)}</div>
${timeTag(visit, entry.created_at)}</li>`,
  );
  const list =
    lines.length === 0
      ? html`<p class="soft">${say("history_nothing")}</p>`
      : html`<ol class="timeline">${lines}</ol>`;
  const all = has_more
    ? html`<p><a href="${auditAddress(visit, subject)}">${say("history_all")}</a></p>`
    : null;
  return card(say("history_title"), html`${list}${all}${elsewhere}`);
}
