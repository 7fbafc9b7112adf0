import { type Html, html } from "../../contract/html.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { contentOf } from "../document.ts";
import { codeBlock, inline } from "../markup.ts";
import { hrefOf, inEnglish, type Reading, type Slug } from "../reading.ts";
import { isObject, listOf } from "./json.ts";

// The reference page shows a JSON schema in this way.

/** Gives the description of a part as HTML. Gives null when it has none. */
export const descriptionOf = (reading: Reading, part: JsonObject): Html | null =>
  part["description"] ? inEnglish(reading, inline(String(part["description"]))) : null;

/** Gives the page of a schema: those of events have one of their own. */
export function schemaPageOf({ document }: Reading, name: string): Slug {
  const isOfEvent = Object.values(document.webhooks).some(({ post }) => {
    const { schema } = contentOf(document, post?.["requestBody"]);
    return isObject(schema) && schema["$ref"] === `#/components/schemas/${name}`;
  });
  return isOfEvent ? "event-schemas" : "schemas";
}

const unionOf = (schema: JsonObject): readonly unknown[] =>
  listOf(schema["anyOf"] ?? schema["oneOf"]);

/** Writes the type in words, with a link for a schema that has a name. */
export function typeOf(reading: Reading, schema: unknown): Html {
  const { say } = reading.words;
  if (!isObject(schema)) return html`${say("any")}`;

  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].split("/").at(-1) ?? "";
    const href = hrefOf(reading, schemaPageOf(reading, name), `schema-${name}`);
    return html`<a href="${href}">${name}</a>`;
  }

  const union = unionOf(schema);
  const or = ` ${say("or")} `;
  if (union.length > 0) return { html: union.map((part) => typeOf(reading, part).html).join(or) };
  if (Array.isArray(schema["enum"])) {
    const values = schema["enum"].map((value) => html`<code>${String(value)}</code>`.html);
    return { html: values.join(", ") };
  }
  if ("const" in schema) return html`<code>${JSON.stringify(schema["const"])}</code>`;
  if (schema["type"] === "array")
    return html`${say("array_of")} ${typeOf(reading, schema["items"])}`;

  const types = listOf(schema["type"]);
  const name = types.length > 0 ? types.join(or) : String(schema["type"] ?? say("any"));
  return html`${name}${schema["format"] ? ` (${schema["format"]})` : null}`;
}

/** Writes the bounds of a value behind its type, such as ", 1 to 100". Empty without bounds. */
export function boundsOf(reading: Reading, schema: unknown): string {
  if (!isObject(schema)) return "";

  const [member] = unionOf(schema).filter((part) => isObject(part) && part["type"] !== "null");
  if (member) return boundsOf(reading, member);

  const { say, sayCount } = reading.words;
  const { minimum, maximum, maxLength, minItems, maxItems, maxProperties } = schema;
  if (maximum !== undefined)
    return `, ${say("bounds", { least: String(minimum), most: String(maximum) })}`;
  if (maxLength !== undefined) return `, ${sayCount("at_most_characters", Number(maxLength))}`;
  if (maxItems !== undefined) {
    const values = { least: String(minItems ?? 0), most: String(maxItems) };
    return `, ${say("bounds_of_items", values)}`;
  }
  return maxProperties === undefined
    ? ""
    : `, ${sayCount("at_most_entries", Number(maxProperties))}`;
}

/**
 * Lists the fields of an object schema, and of the objects in them. Gives null when
 * it has none.
 */
export function fieldList(reading: Reading, schema: JsonObject): Html | null {
  const union = unionOf(schema).filter(isObject);
  if (union.length > 1 && union.every((part) => part["properties"])) {
    const either = html`<p class="note">${reading.words.say("either")}:</p>`;
    return html`${union.map((part) => html`${either}${fieldList(reading, part)}`)}`;
  }

  const properties = schema["properties"];
  if (!isObject(properties)) return null;

  const required = listOf(schema["required"]);
  const rows = Object.entries(properties).map(([name, value]) =>
    fieldRow(reading, name, isObject(value) ? value : {}, required.includes(name)),
  );
  return html`<dl>${rows}</dl>`;
}

function fieldRow(reading: Reading, name: string, schema: JsonObject, isRequired: boolean): Html {
  const nested = objectIn(schema);
  const optional = isRequired ? null : `, ${reading.words.say("optional")}`;
  const note = html`${typeOf(reading, schema)}${boundsOf(reading, schema)}${optional}`;
  const term = html`<dt><code>${name}</code> <span class="note">${note}</span></dt>`;
  const fields = nested["properties"] ? fieldList(reading, nested) : null;

  return html`${term}<dd>${descriptionOf(reading, schema)}${fields}</dd>`;
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
export function exampleOf(reading: Reading, schema: JsonObject): Html | null {
  const [value] = listOf(schema["examples"]);
  if (value === undefined) return null;
  return codeBlock(reading, reading.words.say("example"), JSON.stringify(value, null, 2));
}
