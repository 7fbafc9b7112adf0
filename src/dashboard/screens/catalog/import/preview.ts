import { type Html, html } from "../../../../contract/html.ts";
import { base64url } from "../../../../domain/keys/hash.ts";
import type { RecordOutcome } from "../../../../owner/imports/imported-product.ts";
import { countText } from "../../../format.ts";
import { badge, card, facts, formTag, hidden, notice, table } from "../../../frame/elements.ts";
import { isTextName } from "../../../language.ts";
import type { StoreVisit, View } from "../../../screen.ts";
import { type ImportFile, packed, packedField } from "./import-file.ts";
import { importHead } from "./import-form.ts";
import type { FilePlan } from "./plan.ts";
import { reasonOf } from "./reasons.ts";

/** The most refused rows that the page shows. Their file has all of them. */
const shownRefused = 100;

/** Shows how many products had each outcome. */
export function countsCard(visit: StoreVisit, plan: FilePlan): Html {
  const { say } = visit.language;
  const count = countText(visit, plan.deactivated);
  const drafts: Parameters<typeof facts>[0] =
    plan.deactivated === 0 ? [] : [[say("import_deactivated"), count]];
  return card(
    say("import_counts"),
    facts([
      [say("import_created"), countText(visit, plan.created)],
      [say("import_updated"), countText(visit, plan.updated)],
      [say("import_unchanged"), countText(visit, plan.unchanged)],
      ...drafts,
      [say("import_refused"), countText(visit, plan.refused.length)],
    ]),
  );
}

const more = (visit: StoreVisit, count: number): Html | null =>
  count > 0 ? html`<p class="soft">${visit.language.sayCount("import_more", count)}</p>` : null;

function whatChanges(visit: StoreVisit, { outcome, fields }: RecordOutcome): Html {
  const { say } = visit.language;
  if (outcome === "created") return badge("good", say("import_new"));
  if (outcome === "deactivated") return html`${say("import_deactivated_one")}`;
  const names = fields.map((field) => {
    const name = `field_${field}`;
    return isTextName(name) ? say(name) : field;
  });
  return html`${say("import_changes", { fields: names.join(", ") })}`;
}

function changesTable(visit: StoreVisit, plan: FilePlan): Html | null {
  const { changes, created, updated, deactivated } = plan;
  if (changes.length === 0) return null;
  const { say } = visit.language;
  const rows = changes.map((each) => [
    html`<b>${each.slug}</b>`,
    String(each.line ?? ""),
    whatChanges(visit, each),
  ]);
  const columns = [say("product"), say("import_line"), say("import_what")];
  return html`<h2>${say("import_changed_title")}</h2>
${table({ caption: say("import_changed_title"), columns, rows })}
${more(visit, created + updated + deactivated - changes.length)}`;
}

function refusedTable(visit: StoreVisit, { refused }: FilePlan): Html | null {
  if (refused.length === 0) return null;
  const { language } = visit;
  const { say } = language;
  const rows = refused
    .slice(0, shownRefused)
    .map(({ line, column, message }) => [
      html`<b>${String(line ?? "")}</b>`,
      column === null ? "—" : html`<code>${column}</code>`,
      reasonOf(language, message ?? ""),
    ]);
  const columns = [say("import_line"), say("import_column"), say("import_reason")];
  return html`<h2>${say("import_refused_title")}</h2>
${table({ caption: say("import_refused_title"), columns, rows })}
${more(visit, refused.length - rows.length)}`;
}

function notesList(visit: StoreVisit, { notes, noted }: FilePlan): Html | null {
  if (noted === 0) return null;
  const { language } = visit;
  const items = notes.map(({ line, message }) => {
    const place = language.say("import_at_line", { line: String(line) });
    return html`<li>${place} ${reasonOf(language, message)}</li>`;
  });
  return html`<details class="fold"><summary>${language.sayCount("import_notes", noted)}</summary>
<ul>${items}</ul>${more(visit, noted - notes.length)}</details>`;
}

/** Tells that a file ends before its end. */
function endNote(visit: StoreVisit, { complete, refused }: FilePlan): Html | null {
  if (complete) return null;
  const isMany = refused.length >= 100;
  return notice("warn", visit.language.say(isMany ? "import_stopped_many" : "import_stopped"));
}

/** Renders a form that carries the file, with these buttons. */
export async function fileForm(
  visit: StoreVisit,
  file: ImportFile,
  { mark, buttons }: { readonly mark: string; readonly buttons: Html },
): Promise<Html> {
  const { path, token, parts } = visit;
  const body = html`${hidden(packedField, await packed(file))}${hidden("file_name", file.name)}
${hidden("format", file.format === "own_jsonl" ? "jsonl" : file.format)}
${hidden("currency", file.currency)}${hidden("decimal", file.decimal ?? "")}
${hidden("seen", mark)}
<div class="actions">${buttons}</div>`;
  const once = base64url(parts.randomBytes(16));
  return formTag({ address: path, token, once, body, hasFile: true });
}

/** Renders the button that gives the file of the refused rows. */
export const refusedButton = (visit: StoreVisit, { refused }: FilePlan): Html | null =>
  refused.length === 0
    ? null
    : html`<button class="button" name="do" value="refused" data-download>${visit.language.sayCount(
        "import_refused_file",
        refused.length,
      )}</button>`;

/** Shows what a file does, before it is done. */
export async function previewView(
  visit: StoreVisit,
  file: ImportFile,
  plan: FilePlan,
): Promise<View> {
  const { say, sayCount } = visit.language;
  const changes = plan.created + plan.updated;
  const apply =
    changes === 0
      ? null
      : html`<button class="button primary"
name="do" value="apply">${sayCount("import_apply", changes)}</button>`;
  const buttons = html`${apply}${refusedButton(visit, plan)}
<a class="button" href="${visit.path}">${say("import_other")}</a>`;
  const format = say(`import_format_${file.format === "own_jsonl" ? "own" : file.format}`);
  return {
    ...importHead(visit),
    lead: say("import_preview_lead", { file: file.name, format }),
    body: html`${changes === 0 ? notice("plain", say("import_nothing")) : null}
${endNote(visit, plan)}${countsCard(visit, plan)}
${await fileForm(visit, file, { mark: plan.mark, buttons })}
<div class="plan">${refusedTable(visit, plan)}${notesList(visit, plan)}
${changesTable(visit, plan)}</div>`,
  };
}
