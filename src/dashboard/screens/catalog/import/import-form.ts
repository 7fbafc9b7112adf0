import { type Html, html } from "../../../../contract/html.ts";
import { inStore } from "../../../addresses.ts";
import { countText } from "../../../format.ts";
import { chooser } from "../../../forms/chooser.ts";
import { actionLink, primaryButton, screenForm } from "../../../frame/elements.ts";
import type { TextName } from "../../../language.ts";
import type { StoreVisit, View } from "../../../screen.ts";
import { importField, maxImportBytes, maxImportRows, namedFormats } from "./import-limits.ts";

export const importLink = (visit: StoreVisit): Html | null =>
  actionLink(visit, "products.import", {
    label: "import_link",
    address: inStore(visit, ["products", "import"]),
    kind: "small",
  });

/** What every page of the import has. */
export const importHead = (visit: StoreVisit) => ({
  title: visit.language.say("import_title"),
  crumbs: [
    { label: visit.language.say("section_products"), address: inStore(visit, ["products"]) },
  ],
});

/** Asks for a file. */
export function uploadView(visit: StoreVisit, fields = new URLSearchParams()): View {
  const { store, language } = visit;
  const { say } = language;
  const limits = say("import_limits", {
    megabytes: countText(visit, maxImportBytes / 1_048_576),
    rows: countText(visit, maxImportRows),
  });
  const choice = (name: string, label: TextName, options: Parameters<typeof chooser>[1]): Html =>
    html`<div class="field"><label for="${name}">${say(label)}</label>
${chooser(name, options, fields.get(name) ?? "")}</div>`;

  const body = html`<section class="card">
<div class="field"><label for="${importField}">${say("import_file")}</label>
<p class="soft" id="${importField}-hint">${limits}</p>
<input id="${importField}" name="${importField}" type="file" required
accept=".csv,.tsv,.txt,.jsonl,.ndjson,.xml,text/csv,application/x-ndjson"
aria-describedby="${importField}-hint"></div>
${choice("format", "import_format", [
  { value: "", label: say("import_format_auto") },
  ...namedFormats.map((value) => ({ value, label: say(`import_format_${value}`) })),
])}
<div class="row"><div class="field"><label for="currency">${say("currency")}</label>
<input id="currency" name="currency" maxlength="3" autocomplete="off"
value="${fields.get("currency") ?? store.currency}"></div>
${choice("decimal", "import_decimal", [
  { value: "", label: say("import_decimal_auto") },
  { value: ".", label: say("import_decimal_point") },
  { value: ",", label: say("import_decimal_comma") },
])}</div>
<p class="soft">${say("import_own_hint")}</p></section>
<div class="actions">${primaryButton(say("import_preview"))}</div>`;
  const form = screenForm(visit, { name: "preview", className: "fields", body, hasFile: true });
  return { ...importHead(visit), lead: say("import_lead"), body: form };
}
