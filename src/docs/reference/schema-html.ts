import { type Html, html } from "../../contract/html.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { inline } from "../markup.ts";

// The reference page shows a JSON schema in this way.

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Gives the description of a part as HTML. Gives null when it has none. */
export const descriptionOf = (part: JsonObject): Html | null =>
  part["description"] ? inline(String(part["description"])) : null;

const unionOf = (schema: JsonObject): readonly unknown[] =>
  listOf(schema["anyOf"] ?? schema["oneOf"]);

/** Writes the type in words, with a link for a schema that has a name. */
export function typeOf(schema: unknown): Html {
  if (!isObject(schema)) return html`any`;

  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].split("/").at(-1) ?? "";
    return html`<a href="#schema-${name}">${name}</a>`;
  }

  const union = unionOf(schema);
  if (union.length > 0) return { html: union.map((part) => typeOf(part).html).join(" or ") };
  if (Array.isArray(schema["enum"])) {
    const values = schema["enum"].map((value) => html`<code>${String(value)}</code>`.html);
    return { html: values.join(", ") };
  }
  if ("const" in schema) return html`<code>${JSON.stringify(schema["const"])}</code>`;
  if (schema["type"] === "array") return html`array of ${typeOf(schema["items"])}`;

  const types = listOf(schema["type"]);
  const name = types.length > 0 ? types.join(" or ") : String(schema["type"] ?? "any");
  return html`${name}${schema["format"] ? ` (${schema["format"]})` : null}`;
}

/** Writes the bounds of a value behind its type, such as ", 1 to 100". Empty without bounds. */
export function boundsOf(schema: unknown): string {
  if (!isObject(schema)) return "";

  const [member] = unionOf(schema).filter((part) => isObject(part) && part["type"] !== "null");
  if (member) return boundsOf(member);

  const { minimum, maximum, maxLength, minItems, maxItems, maxProperties } = schema;
  if (maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (maxLength !== undefined) return `, at most ${maxLength} characters`;
  if (maxItems !== undefined) return `, ${minItems ?? 0} to ${maxItems} of them`;
  return maxProperties === undefined ? "" : `, at most ${maxProperties} entries`;
}

/**
 * Lists the fields of an object schema, and of the objects in them. Gives null when
 * it has none.
 */
export function fieldList(schema: JsonObject): Html | null {
  const union = unionOf(schema).filter(isObject);
  if (union.length > 1 && union.every((part) => part["properties"]))
    return html`${union.map((part) => html`<p class="note">Either:</p>${fieldList(part)}`)}`;

  const properties = schema["properties"];
  if (!isObject(properties)) return null;

  const required = listOf(schema["required"]);
  const rows = Object.entries(properties).map(([name, value]) =>
    fieldRow(name, isObject(value) ? value : {}, required.includes(name)),
  );
  return html`<dl>${rows}</dl>`;
}

function fieldRow(name: string, schema: JsonObject, isRequired: boolean): Html {
  const nested = objectIn(schema);
  const note = html`${typeOf(schema)}${boundsOf(schema)}${isRequired ? null : ", optional"}`;
  const term = html`<dt><code>${name}</code> <span class="note">${note}</span></dt>`;
  const fields = nested["properties"] ? fieldList(nested) : null;

  return html`${term}<dd>${descriptionOf(schema)}${fields}</dd>`;
}

/**
 * Finds the object in a field: the field itself, the items of a list, or the member
 * that is not null.
 */
function objectIn(schema: unknown): JsonObject {
  if (!isObject(schema) || schema["$ref"]) return {};
  if (schema["items"]) return objectIn(schema["items"]);

  const members = listOf(schema["anyOf"]);
  const member = members.find((part) => isObject(part) && part["properties"]);
  return member ? objectIn(member) : schema;
}

/** Shows the first example of a schema. Gives null when it has none. */
export function exampleOf(schema: JsonObject): Html | null {
  const [value] = listOf(schema["examples"]);
  if (value === undefined) return null;

  const code = html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
  return html`<details><summary>Example</summary>${code}</details>`;
}
