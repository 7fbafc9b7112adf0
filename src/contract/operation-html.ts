import { type Html, html } from "./html.ts";
import type { OpenApiDocument, OpenApiOperation } from "./openapi.ts";
import type { JsonObject } from "./openapi-schemas.ts";
import { inline, prose } from "./page.ts";
import { descriptionOf, exampleOf, isObject, listOf, typeOf } from "./schema-html.ts";

// How the reference page shows an operation and a webhook.

export interface ListedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

export function renderOperation(
  document: OpenApiDocument,
  { method, path, operation }: ListedOperation,
): Html {
  const heading = html`<h3 id="${operation.operationId}">${operation.summary}</h3>`;
  const address = html`<p><span class="tag">${method}</span> <code>${path}</code></p>`;
  const parts = [
    heading,
    address,
    prose(operation.description),
    security(operation),
    parameters(document, operation) ?? html``,
    requestBody(document, operation) ?? html``,
    responses(document, operation),
  ];
  return html`${parts}`;
}

export function renderWebhook(
  document: OpenApiDocument,
  type: string,
  operation: OpenApiOperation,
): Html {
  const heading = html`<h3 id="${type}"><code>${type}</code></h3><p>${operation.summary}</p>`;
  return html`${heading}${prose(operation.description)}${requestBody(document, operation)}`;
}

/** The part itself, or the part of the document that its `$ref` names. */
function follow(document: OpenApiDocument, part: unknown): JsonObject {
  if (!isObject(part)) return {};
  if (typeof part["$ref"] !== "string") return part;

  const names = part["$ref"].split("/").slice(1);
  const target = names.reduce<unknown>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    document,
  );
  return isObject(target) ? target : part;
}

/** The JSON content of a request or an answer; an empty object when it has none. */
function contentOf(document: OpenApiDocument, part: unknown): JsonObject {
  const content = follow(document, part)["content"];
  if (!isObject(content) || !isObject(content["application/json"])) return {};
  return content["application/json"];
}

function parameters(document: OpenApiDocument, operation: OpenApiOperation): Html | null {
  const rows = listOf(operation["parameters"]).map((part) => follow(document, part));
  if (rows.length === 0) return null;

  return html`<h4>Parameters</h4><dl>${rows.map(parameterRow)}</dl>`;
}

function parameterRow(row: JsonObject): Html {
  const required = row["required"] ? ", required" : null;
  const note = html`${String(row["in"])}, ${typeOf(row["schema"])}${required}`;
  const term = html`<code>${String(row["name"])}</code> <span class="note">${note}</span>`;

  return html`<dt>${term}</dt><dd>${descriptionOf(row)}</dd>`;
}

function requestBody(document: OpenApiDocument, operation: OpenApiOperation): Html | null {
  const { schema } = contentOf(document, operation["requestBody"]);
  if (!schema) return null;

  return html`<h4>Body: ${typeOf(schema)}</h4>${exampleOf(follow(document, schema))}`;
}

function security(operation: OpenApiOperation): Html {
  const choices = listOf(operation["security"]).filter(isObject);
  const keys = choices.map((choice) => Object.keys(choice).join(" + ")).join(", or ");
  const scopes = choices.flatMap((choice) => Object.values(choice).flatMap(listOf)).map(String);

  const names = [...new Set(scopes)].join(", ");
  return html`<p class="note">Key: ${keys}${names === "" ? null : `; scope ${names}`}</p>`;
}

function responses(document: OpenApiDocument, operation: OpenApiOperation): Html {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const { schema, examples } = contentOf(document, response);
    const codes = isObject(examples) ? Object.keys(examples) : [];
    const text =
      codes.length > 0
        ? errorLinks(codes)
        : inline(String(follow(document, response)["description"]));

    return html`<dt><span class="tag">${status}</span></dt><dd>${text}${dataType(schema)}</dd>`;
  });
  return html`<h4>Answers</h4><dl>${rows}</dl>`;
}

function errorLinks(codes: readonly string[]): Html {
  const links = codes.map((code) => html`<a href="docs/errors#${code}"><code>${code}</code></a>`);
  return { html: links.map((link) => link.html).join(", ") };
}

/** The type of `data` in an answer; null when the answer has none. */
function dataType(schema: unknown): Html | null {
  if (!isObject(schema) || !isObject(schema["properties"])) return null;

  const { data } = schema["properties"];
  return data ? html` <code>data</code>: ${typeOf(data)}` : null;
}
