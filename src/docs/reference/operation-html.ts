import { eventSchemaPath } from "../../contract/events.ts";
import { type Html, html } from "../../contract/html.ts";
import type { OpenApiOperation } from "../../contract/openapi/openapi.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { answerExample, contentOf, follow, type ListedOperation } from "../document.ts";
import { codeBlock, inline, prose } from "../markup.ts";
import { blocksInEnglish, hrefOf, inEnglish, type Reading, told } from "../reading.ts";
import { eventMeanings } from "../texts/contract-pt.ts";
import { renderTryForm } from "../try-form.ts";
import { isObject, listOf } from "./json.ts";
import { renderSamples } from "./samples.ts";
import { boundsOf, descriptionOf, fieldList, typeOf } from "./schema-html.ts";

// The page shows an operation or a webhook with its text at the left and its samples beside it.

export function renderOperation(reading: Reading, listed: ListedOperation, title: string): Html {
  const { document, words } = reading;
  const { method, path, operation } = listed;
  const verb = html`<span class="verb ${method.toLowerCase()}">${method}</span>`;
  const parts = [
    html`<p>${verb} <code>${path}</code></p>`,
    blocksInEnglish(reading, prose(operation.description)),
    security(reading, operation),
    parameters(reading, operation) ?? html``,
    requestBody(reading, operation) ?? html``,
    responses(reading, operation),
  ];

  const example = answerExample(document, operation);
  // A feed is no JSON and has no example.
  const answer =
    example === undefined
      ? html``
      : codeBlock(reading, words.say("answer"), JSON.stringify(example, null, 2));
  const beside = [renderSamples(reading, listed), renderTryForm(reading, listed), answer];
  return html`<article class="operation" id="${operation.operationId}"><h2>${title}</h2>
<div>${parts}</div><div class="beside">${beside}</div></article>`;
}

export function renderWebhook(reading: Reading, type: string, operation: OpenApiOperation): Html {
  const { document, words, toApi } = reading;
  const { schema, example } = contentOf(document, operation["requestBody"]);
  const body = html`${words.say("body_of")}: ${typeOf(reading, schema)}`;
  const schemaPath = `${toApi}${eventSchemaPath(type).slice(1)}`;
  const text = html`<p>${told(reading, eventMeanings, type) ?? operation.summary}</p>
${blocksInEnglish(reading, prose(operation.description))}
<p>${body}, ${words.say("body_as")} <a href="${schemaPath}">JSON Schema</a></p>`;
  const sample = codeBlock(reading, words.say("body"), JSON.stringify(example, null, 2));
  const shown = html`<details><summary>${words.say("example")}</summary>${sample}</details>`;
  return html`<article class="event" id="${type}"><h2><code>${type}</code></h2>
<div>${text}</div><div class="beside">${shown}</div></article>`;
}

function parameters(reading: Reading, operation: OpenApiOperation): Html | null {
  const parts = listOf(operation["parameters"]).map((part) => follow(reading.document, part));
  if (parts.length === 0) return null;

  const rows = parts.map((part) => parameterRow(reading, part));
  return html`<h3>${reading.words.say("parameters")}</h3><dl>${rows}</dl>`;
}

const places = { path: "in_path", query: "in_query", header: "in_header" } as const;

function parameterRow(reading: Reading, row: JsonObject): Html {
  const { say } = reading.words;
  const required = row["required"] ? `, ${say("required")}` : null;
  const type = html`${typeOf(reading, row["schema"])}${boundsOf(reading, row["schema"])}`;
  const place = say(places[row["in"] as keyof typeof places]);
  const note = html`${place}, ${type}${required}`;
  const term = html`<code>${String(row["name"])}</code> <span class="note">${note}</span>`;

  return html`<dt>${term}</dt><dd>${descriptionOf(reading, row)}</dd>`;
}

function requestBody(reading: Reading, operation: OpenApiOperation): Html | null {
  const { document, words } = reading;
  const { schema } = contentOf(document, operation["requestBody"]);
  if (!schema) return null;

  const heading = html`<h3>${words.say("body_of")}: ${typeOf(reading, schema)}</h3>`;
  return html`${heading}${fieldList(reading, follow(document, schema))}`;
}

function security({ words: { say } }: Reading, operation: OpenApiOperation): Html {
  const all = listOf(operation["security"]).filter(isObject);

  // The key that a browser sends twice is the publishable key, which is listed already.
  const choices = all.filter((choice) => !("browserKey" in choice));
  const keys = choices.map((choice) => Object.keys(choice).join(" + "));
  const scopes = choices.flatMap((choice) => Object.values(choice).flatMap(listOf)).map(String);

  const or = say("or");
  const names = [...new Set(keys)].join(`, ${or} `);
  const needed = [...new Set(scopes)].join(` ${or} `);
  const scope = scopes.length === 0 ? null : `; ${say("scope")} ${needed}`;
  return html`<p class="note">${say("key")}: ${names}${scope}</p>`;
}

function responses(reading: Reading, operation: OpenApiOperation): Html {
  const { document, words } = reading;
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const { schema, examples } = contentOf(document, response);
    const codes = isObject(examples) ? Object.keys(examples) : [];
    const text =
      codes.length > 0
        ? errorLinks(reading, codes)
        : inEnglish(reading, inline(String(follow(document, response)["description"])));

    return html`<dt class="status">${status}</dt><dd>${text}${dataType(reading, schema)}</dd>`;
  });
  return html`<h3>${words.say("answers")}</h3><dl>${rows}</dl>`;
}

function errorLinks(reading: Reading, codes: readonly string[]): Html {
  const links = codes.map(
    (code) => html`<a href="${hrefOf(reading, "errors", code)}"><code>${code}</code></a>`,
  );
  return { html: links.map((link) => link.html).join(", ") };
}

/** Gives the type of `data` in an answer. Gives null when the answer has none. */
function dataType(reading: Reading, schema: unknown): Html | null {
  if (!isObject(schema) || !isObject(schema["properties"])) return null;

  const { data } = schema["properties"];
  return data ? html` <code>data</code>: ${typeOf(reading, data)}` : null;
}
