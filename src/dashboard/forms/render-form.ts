import { z } from "zod";
import { type Html, html, raw } from "../../contract/html.ts";
import { may } from "../access/access.ts";
import { hidden, primaryButton, screenForm } from "../frame/elements.ts";
import type { StoreVisit } from "../screen.ts";
import { marksField } from "./edit-marks.ts";
import { type FormSpec, type FormState, isRequired } from "./form.ts";
import { enterField, type Field, firstOf, type Option } from "./form-field.ts";

/** Renders a form; someone who may only look sees its fields, and cannot send it. */
export function renderForm(visit: StoreVisit, spec: FormSpec, state: FormState): Html {
  const { say } = visit.language;
  const allowed = may(visit.access, spec.action);
  const groupsOf = (side: boolean): Html[] =>
    spec.groups
      .filter((group) => (group.side ?? false) === side)
      .map(({ title, fields }) => {
        const heading = title === null ? null : html`<h2>${say(title)}</h2>`;
        const inputs = fields.map((field) => renderField(visit, { spec, state, field }));
        return html`<section class="card">${heading}${inputs}</section>`;
      });

  const beside = groupsOf(true);
  const marks = firstOf(state.values, marksField);
  const fields = spec.groups.flatMap((group) => group.fields);
  const hasFile = fields.some(({ kind }) => kind === "file");
  const hasButtons = fields.some((field) => field.kind === "own" && field.hasButton);
  const body = html`${hasButtons && allowed ? enterButton : null}
${marks === "" ? null : hidden(marksField, marks)}
${faultList(visit, spec, state)}
<fieldset class="whole${beside.length > 0 ? " sided" : ""}" ${raw(allowed ? "" : "disabled")}>
<div><h2 class="unseen">${say(spec.submit)}</h2>${groupsOf(false)}</div>
${beside.length > 0 ? html`<div>${beside}</div>` : null}</fieldset>
${allowed ? html`<div class="actions">${primaryButton(say(spec.submit))}</div>` : null}`;
  return html`${allowed ? null : html`<p class="notice plain">${say("read_only")}</p>`}
${screenForm(visit, { name: spec.name, className: "fields", body, hasFile })}`;
}

/**
 * Enter in a field presses the first button of its form. This one stands before the buttons
 * of fields, so that Enter saves; nobody sees it or comes to it by Tab.
 */
const enterButton = html`<button class="unseen" name="${enterField}" value="yes" tabindex="-1"
aria-hidden="true"></button>`;

/** Says at the top what is wrong, because a long form begins above its faulty field. */
function faultList({ language }: StoreVisit, spec: FormSpec, state: FormState): Html | null {
  const { faults, notice } = state;
  if (faults.size === 0)
    return notice === null ? null : html`<p class="notice bad" role="alert">${notice}</p>`;

  const fields = spec.groups.flatMap((group) => group.fields);
  const wrong = fields.flatMap(({ name, label }) => {
    const fault = faults.get(name);
    const entry = html`<li><a href="#${name}">${language.say(label)}</a>: ${fault ?? ""}</li>`;
    return fault === undefined ? [] : [entry];
  });
  return html`<div class="notice bad" role="alert"><p>${notice ?? language.say("faults_title")}</p>
<ul>${wrong}</ul></div>`;
}

interface FieldPlace {
  readonly spec: FormSpec;
  readonly state: FormState;
  readonly field: Field;
}

function renderField(visit: StoreVisit, place: FieldPlace): Html {
  const { spec, state, field } = place;
  const { name, kind } = field;
  const { say } = visit.language;
  const fault = state.faults.get(name);
  const hint = field.hint ? html`<p class="soft" id="${name}-hint">${say(field.hint)}</p>` : null;
  const error = fault ? html`<p class="error" id="${name}-error">${fault}</p>` : null;

  if (kind === "check")
    return html`<div class="field check">${checkbox(name, name, {
      value: "yes",
      label: say(field.label),
      checked: firstOf(state.values, name) !== "",
    })}${hint}${error}</div>`;
  if (kind === "many" || kind === "own")
    return html`<fieldset class="field" id="${name}"><legend>${say(field.label)}</legend>
${hint}${error}
${kind === "own" ? field.show(visit, state.values) : choices(field, state)}</fieldset>`;

  const isOptional = !isRequired(spec.schema, name);
  const marks =
    isOptional && kind !== "choice" ? html` <span class="soft">(${say("optional")})</span>` : null;
  return html`<div class="field"><label for="${name}">${say(field.label)}${marks}</label>
${hint}${control(place, describedBy(field, fault))}${error}</div>`;
}

function describedBy({ name, hint }: Field, fault: string | undefined): Html | null {
  const ids = [...(fault ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])];
  return ids.length === 0 ? null : html`aria-describedby="${ids.join(" ")}"`;
}

function control({ spec, state, field }: FieldPlace, described: Html | null): Html {
  const { name } = field;
  const value = firstOf(state.values, name);
  const { maxLength } = rulesOf(spec.schema, name);
  const required = isRequired(spec.schema, name) ? raw("required") : null;
  const invalid = state.faults.has(name) ? raw('aria-invalid="true"') : null;
  const first = [...state.faults.keys()][0] === name ? raw("autofocus") : null;
  const shared = html`id="${name}" name="${name}" ${required} ${invalid} ${first} ${described}`;
  const most = maxLength === undefined ? null : html`maxlength="${maxLength}"`;

  switch (field.kind) {
    case "area":
    case "lines":
      return html`<textarea ${shared} rows="${field.rows ?? 4}" ${most}>
${value}</textarea>`;
    case "choice":
      return html`<select ${shared}>${optionList(field.options, value)}</select>`;
    case "amount":
      return html`<div class="affix"><input ${shared} inputmode="decimal" autocomplete="off"
value="${value}"><span>${field.currency}</span></div>`;
    case "number":
      return html`<input ${shared} inputmode="decimal" autocomplete="off" value="${value}">`;
    case "file":
      return html`<input ${shared} type="file" accept="${field.accept}">`;
    case "moment":
      return html`<input ${shared} type="datetime-local" value="${value}">`;
    default:
      return html`<input ${shared} type="${"type" in field ? (field.type ?? "text") : "text"}"
${most} value="${value}">`;
  }
}

const oneOption = (option: Option, chosen: string): Html =>
  html`<option value="${option.value}"
${raw(option.value === chosen ? "selected" : "")}>${option.label}</option>`;

/** Renders the options of a list, those of one heading together. */
export function optionList(options: readonly Option[], chosen: string): readonly Html[] {
  const parts: { readonly group: string | undefined; readonly options: Option[] }[] = [];
  for (const option of options) {
    const last = parts.at(-1);
    if (last && last.group === option.group) last.options.push(option);
    else parts.push({ group: option.group, options: [option] });
  }
  return parts.map(({ group, options: own }) => {
    const list = own.map((option) => oneOption(option, chosen));
    return group === undefined
      ? html`${list}`
      : html`<optgroup label="${group}">${list}</optgroup>`;
  });
}

const choices = (field: Field, { values }: FormState): Html[] =>
  "options" in field
    ? field.options.map(({ value, label }, index) =>
        checkbox(`${field.name}-${index}`, field.name, {
          value,
          label,
          checked: values[field.name]?.includes(value) ?? false,
        }),
      )
    : [];

export const checkbox = (
  id: string,
  name: string,
  box: { readonly value: string; readonly label: Html | string; readonly checked: boolean },
): Html =>
  html`<label class="tick" for="${id}"><input type="checkbox" id="${id}" name="${name}"
value="${box.value}" ${raw(box.checked ? "checked" : "")}> <span>${box.label}</span></label>`;

interface FieldRules {
  readonly maxLength?: number;
}

const known = new WeakMap<z.ZodObject, Readonly<Record<string, unknown>>>();

/** Gives what the schema says of a text field. A field that may be null has its rules in a list. */
function rulesOf(schema: z.ZodObject, name: string): FieldRules {
  let properties = known.get(schema);
  if (!properties) {
    const document = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    properties = { ...document.properties };
    known.set(schema, properties);
  }

  const rules = properties[name];
  if (typeof rules !== "object" || rules === null) return {};
  const lists: readonly unknown[] =
    "anyOf" in rules && Array.isArray(rules.anyOf) ? rules.anyOf : [];
  for (const each of [rules, ...lists]) {
    const most: unknown =
      typeof each === "object" && each !== null && Reflect.get(each, "maxLength");
    if (typeof most === "number") return { maxLength: most };
  }
  return {};
}
