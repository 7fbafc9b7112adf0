import { type Html, html, raw } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { firstOf, type ReadField, type Values } from "../../forms/form-field.ts";
import { checkbox } from "../../forms/render-form.ts";
import type { StoreVisit } from "../../screen.ts";

const maxVariables = 50;
const types = ["text", "number", "select"] as const;

const nameOf = (index: number, part: string): string => `variables.${index}.${part}`;

/** Counts the questions of the form, up to the last one that is filled in. */
const countOf = (values: Values): number => {
  let count = 0;
  for (let index = 0; index < maxVariables; index += 1)
    if (firstOf(values, nameOf(index, "label")) || firstOf(values, nameOf(index, "key")))
      count = index + 1;
  return count;
};

/**
 * Shows what buyers are asked, and one more question that is empty. A script adds
 * others; without it a save brings one more.
 */
export function showVariables({ language }: StoreVisit, values: Values): Html {
  const { say } = language;
  const count = Math.min(countOf(values) + 1, maxVariables);
  const input = (index: number, part: "label" | "key" | "max_length" | "pattern"): Html => {
    const name = nameOf(index, part);
    return html`<div class="field"><label for="${name}">${say(`variable_${part}`)}</label>
<input id="${name}" name="${name}" value="${firstOf(values, name)}"></div>`;
  };

  return html`${Array.from({ length: count }, (_, index) => {
    const type = nameOf(index, "type");
    const options = nameOf(index, "options");
    const required = nameOf(index, "required");
    return html`<div class="part"><div class="grid">${input(index, "label")}${input(index, "key")}
<div class="field"><label for="${type}">${say("variable_type")}</label>
<select id="${type}" name="${type}">${types.map((each) => {
      const selected = raw(firstOf(values, type) === each ? "selected" : "");
      return html`<option value="${each}" ${selected}>${say(`variable_type_${each}`)}</option>`;
    })}</select></div>
${input(index, "max_length")}${input(index, "pattern")}
<div class="field"><label for="${options}">${say("variable_options")}</label>
<textarea id="${options}" name="${options}" rows="2">
${firstOf(values, options)}</textarea></div></div>
${checkbox(required, required, {
  value: "yes",
  label: say("variable_required"),
  checked: firstOf(values, required) !== "",
})}</div>`;
  })}<noscript><p class="soft">${say("variables_more")}</p></noscript>
<p><button class="button small" type="button" hidden data-add=".part"
data-most="${maxVariables}">${say("variable_add")}</button></p>`;
}

/** Makes a list of the questions that are filled in; one that was emptied is gone. */
export function readVariables(values: Values): ReadField {
  const variables = Array.from({ length: countOf(values) }, (_, index) => {
    const part = (name: string): string => firstOf(values, nameOf(index, name)).trim();
    if (part("label") === "" && part("key") === "") return null;

    const max_length = part("max_length");
    return {
      key: part("key"),
      label: part("label"),
      type: part("type"),
      required: part("required") !== "",
      pattern: part("pattern") || null,
      max_length: max_length === "" ? null : Number(max_length),
      options: part("options")
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .map(readOption),
    };
  });
  return { value: variables.filter((variable) => variable !== null) };
}

/** `g = Large` is the value `g` that buyers read as `Large`; a text alone is both. */
function readOption(line: string): { value: string; label: string } {
  const mark = line.indexOf("=");
  if (mark < 0) return { value: line, label: line };
  return { value: line.slice(0, mark).trim(), label: line.slice(mark + 1).trim() };
}

export const variableValues = ({ variables }: OwnerProduct): Values =>
  Object.fromEntries(
    variables.flatMap((variable, index) => [
      [nameOf(index, "key"), [variable.key]],
      [nameOf(index, "label"), [variable.label]],
      [nameOf(index, "type"), [variable.type]],
      [nameOf(index, "required"), variable.required ? ["yes"] : []],
      [nameOf(index, "pattern"), [variable.pattern ?? ""]],
      [nameOf(index, "max_length"), [String(variable.max_length ?? "")]],
      [
        nameOf(index, "options"),
        [variable.options.map(({ value, label }) => `${value} = ${label}`).join("\n")],
      ],
    ]),
  );
