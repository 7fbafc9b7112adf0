import { eventSchemaPath } from "../../contract/events.ts";
import { type Html, html } from "../../contract/html.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../contract/openapi/openapi.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { answerExample, contentOf, follow, type ListedOperation } from "../document.ts";
import { codeBlock, inline, prose } from "../markup.ts";
import { renderTryForm } from "../try-form.ts";
import { renderSamples } from "./samples.ts";
import { boundsOf, descriptionOf, fieldList, isObject, listOf, typeOf } from "./schema-html.ts";

// The page shows an operation or a webhook with its text at the left and its samples beside it.

export function renderOperation(document: OpenApiDocument, listed: ListedOperation): Html {
  const { method, path, operation } = listed;
  const verb = html`<span class="verb ${method.toLowerCase()}">${method}</span>`;
  const parts = [
    html`<p>${verb} <code>${path}</code></p>`,
    prose(operation.description),
    security(operation),
    parameters(document, operation) ?? html``,
    requestBody(document, operation) ?? html``,
    responses(document, operation),
  ];

  const beside = [
    renderSamples(document, listed),
    renderTryForm(document, listed),
    answerBlock(answerExample(document, operation)),
  ];
  return html`<article class="operation" id="${operation.operationId}"><h3>${operation.summary}</h3>
<div>${parts}</div><div class="beside">${beside}</div></article>`;
}

/** Shows the answer. A feed is no JSON and has no example. */
const answerBlock = (example: unknown): Html =>
  example === undefined ? html`` : codeBlock("Answer", JSON.stringify(example, null, 2));

export function renderWebhook(
  document: OpenApiDocument,
  type: string,
  operation: OpenApiOperation,
): Html {
  const { schema, example } = contentOf(document, operation["requestBody"]);
  const text = html`<p>${operation.summary}</p>${prose(operation.description)}
<p>Body: ${typeOf(schema)}, as <a href="${eventSchemaPath(type).slice(1)}">JSON Schema</a></p>`;
  const sample = html`<details><summary>Example</summary>${codeBlock(
    "Body",
    JSON.stringify(example, null, 2),
  )}</details>`;
  return html`<article class="event" id="${type}"><h3><code>${type}</code></h3>
<div>${text}</div><div class="beside">${sample}</div></article>`;
}

function parameters(document: OpenApiDocument, operation: OpenApiOperation): Html | null {
  const rows = listOf(operation["parameters"]).map((part) => follow(document, part));
  if (rows.length === 0) return null;

  return html`<h4>Parameters</h4><dl>${rows.map(parameterRow)}</dl>`;
}

function parameterRow(row: JsonObject): Html {
  const required = row["required"] ? ", required" : null;
  const type = html`${typeOf(row["schema"])}${boundsOf(row["schema"])}`;
  const note = html`${String(row["in"])}, ${type}${required}`;
  const term = html`<code>${String(row["name"])}</code> <span class="note">${note}</span>`;

  return html`<dt>${term}</dt><dd>${descriptionOf(row)}</dd>`;
}

function requestBody(document: OpenApiDocument, operation: OpenApiOperation): Html | null {
  const { schema } = contentOf(document, operation["requestBody"]);
  if (!schema) return null;

  return html`<h4>Body: ${typeOf(schema)}</h4>${fieldList(follow(document, schema))}`;
}

function security(operation: OpenApiOperation): Html {
  const all = listOf(operation["security"]).filter(isObject);

  // The key that a browser sends twice is the publishable key, which is listed already.
  const choices = all.filter((choice) => !("browserKey" in choice));
  const keys = choices.map((choice) => Object.keys(choice).join(" + "));
  const scopes = choices.flatMap((choice) => Object.values(choice).flatMap(listOf)).map(String);

  const names = [...new Set(keys)].join(", or ");
  const scope = scopes.length === 0 ? null : `; scope ${[...new Set(scopes)].join(" or ")}`;
  return html`<p class="note">Key: ${names}${scope}</p>`;
}

function responses(document: OpenApiDocument, operation: OpenApiOperation): Html {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const { schema, examples } = contentOf(document, response);
    const codes = isObject(examples) ? Object.keys(examples) : [];
    const text =
      codes.length > 0
        ? errorLinks(codes)
        : inline(String(follow(document, response)["description"]));

    return html`<dt class="status">${status}</dt><dd>${text}${dataType(schema)}</dd>`;
  });
  return html`<h4>Answers</h4><dl>${rows}</dl>`;
}

function errorLinks(codes: readonly string[]): Html {
  const links = codes.map((code) => html`<a href="docs/errors#${code}"><code>${code}</code></a>`);
  return { html: links.map((link) => link.html).join(", ") };
}

/** Gives the type of `data` in an answer. Gives null when the answer has none. */
function dataType(schema: unknown): Html | null {
  if (!isObject(schema) || !isObject(schema["properties"])) return null;

  const { data } = schema["properties"];
  return data ? html` <code>data</code>: ${typeOf(data)}` : null;
}
