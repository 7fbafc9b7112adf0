import { type Html, html } from "./html.ts";
import type { OpenApiDocument, OpenApiOperation } from "./openapi.ts";
import type { JsonObject } from "./openapi-schemas.ts";
import { inline, prose, renderPage } from "./page.ts";

/** The API document as one page: an anchor per operation, event and schema; errors link to their reference. */
export function renderApiReference(document: OpenApiDocument): string {
  const show = createReader(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    rows: operations.filter(({ operation }) => listOf(operation["tags"]).includes(tag.name)),
  }));
  const webhooks = Object.entries(document.webhooks).flatMap(([type, item]) =>
    item["post"] ? [{ type, operation: item["post"] }] : [],
  );
  const schemas = Object.entries(document.components["schemas"] ?? {}) as [string, JsonObject][];
  const security = Object.entries(document.components["securitySchemes"] ?? {}) as [
    string,
    JsonObject,
  ][];

  const contents = html`<details><summary>Contents</summary><ul>${groups.map(
    ({ name, rows }) =>
      html`<li>${name}<ul>${rows.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul></li>`,
  )}<li>Webhooks<ul>${webhooks.map(({ type }) => html`<li><a href="#${type}">${type}</a></li>`)}</ul></li><li>Schemas<ul>${schemas.map(
    ([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></li><li><a href="docs/errors">Errors</a></li><li><a href="openapi.json">OpenAPI 3.1</a></li></ul></details>`;

  const server = document.servers[0]?.url ?? "";
  return renderPage(
    `${document.info.title} ${document.info.version}`,
    html`${prose(document.info.description)}<p>Base address: <code>${server}</code></p>${contents}
<h2 id="authentication">Authentication</h2><dl>${security.map(([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${inline(String(description))}</dd>`)}</dl>
${groups.map(({ name, description, rows }) => html`<h2 id="${name}">${name}</h2>${prose(description)}${rows.map((row) => show.operation(row.method, row.path, row.operation))}`)}
<h2 id="webhooks">Webhooks</h2>${webhooks.map(({ type, operation }) => show.webhook(type, operation))}
<h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => html`<h3 id="schema-${name}">${name}</h3>${schema["description"] ? prose(String(schema["description"])) : null}${show.fields(schema)}${show.examples(schema)}`)}`,
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const code = (value: unknown): Html => html`<pre>${JSON.stringify(value, null, 2)}</pre>`;

/** Shows parts of one document, its `$ref`s followed. */
function createReader(document: OpenApiDocument) {
  const follow = (part: unknown): JsonObject => {
    if (!isObject(part)) return {};
    const path = typeof part["$ref"] === "string" ? part["$ref"].split("/").slice(1) : null;
    const target = path?.reduce<unknown>(
      (at, name) => (isObject(at) ? at[name] : undefined),
      document,
    );
    return isObject(target) ? target : part;
  };
  const contentOf = (part: unknown): JsonObject => {
    const content = follow(part)["content"];
    return isObject(content) && isObject(content["application/json"])
      ? content["application/json"]
      : {};
  };

  const typeOf = (schema: unknown): Html => {
    if (!isObject(schema)) return html`any`;
    if (typeof schema["$ref"] === "string") {
      const name = schema["$ref"].split("/").at(-1) ?? "";
      return html`<a href="#schema-${name}">${name}</a>`;
    }
    const union = listOf(schema["anyOf"] ?? schema["oneOf"]);
    if (union.length > 0) return { html: union.map((part) => typeOf(part).html).join(" or ") };
    if (Array.isArray(schema["enum"]))
      return {
        html: schema["enum"].map((value) => html`<code>${String(value)}</code>`.html).join(", "),
      };
    if ("const" in schema) return html`<code>${JSON.stringify(schema["const"])}</code>`;
    if (schema["type"] === "array") return html`array of ${typeOf(schema["items"])}`;
    const name =
      listOf(schema["type"]).length > 0
        ? listOf(schema["type"]).join(" or ")
        : String(schema["type"] ?? "any");
    return html`${name}${schema["format"] ? ` (${schema["format"]})` : null}`;
  };

  /** The object that a field's own fields are listed of: itself, its items, or the one that is not null. */
  const inner = (schema: unknown): JsonObject => {
    if (!isObject(schema) || schema["$ref"]) return {};
    if (schema["items"]) return inner(schema["items"]);
    const part = listOf(schema["anyOf"]).find((option) => isObject(option) && option["properties"]);
    return part ? inner(part) : schema;
  };

  const fields = (schema: JsonObject): Html | null => {
    const union = listOf(schema["anyOf"] ?? schema["oneOf"]).filter(isObject);
    if (union.length > 1 && union.every((part) => part["properties"]))
      return html`${union.map((part) => html`<p class="note">Either:</p>${fields(part)}`)}`;
    const properties = schema["properties"];
    if (!isObject(properties)) return null;
    const required = listOf(schema["required"]);
    return html`<dl>${Object.entries(properties).map(([name, value]) => {
      const own = isObject(value) ? value : {};
      const nested = inner(own);
      return html`<dt><code>${name}</code> <span class="note">${typeOf(own)}${required.includes(name) ? null : ", optional"}</span></dt><dd>${own["description"] ? inline(String(own["description"])) : null}${nested["properties"] ? fields(nested) : null}</dd>`;
    })}</dl>`;
  };

  const examples = (schema: JsonObject): Html | null => {
    const [value] = listOf(schema["examples"]);
    return value === undefined
      ? null
      : html`<details><summary>Example</summary>${code(value)}</details>`;
  };

  const parameters = (operation: OpenApiOperation): Html | null => {
    const rows = listOf(operation["parameters"]).map(follow);
    if (rows.length === 0) return null;
    return html`<h4>Parameters</h4><dl>${rows.map((row) => html`<dt><code>${String(row["name"])}</code> <span class="note">${String(row["in"])}, ${typeOf(row["schema"])}${row["required"] ? ", required" : null}</span></dt><dd>${row["description"] ? inline(String(row["description"])) : null}</dd>`)}</dl>`;
  };

  const body = (operation: OpenApiOperation): Html | null => {
    const { schema } = contentOf(operation["requestBody"]);
    if (!schema) return null;
    const named = follow(schema);
    return html`<h4>Body: ${typeOf(schema)}</h4>${examples(named)}`;
  };

  const security = (operation: OpenApiOperation): Html => {
    const ways = listOf(operation["security"]).filter(isObject);
    const scopes = new Set(ways.flatMap((way) => Object.values(way).flatMap(listOf)).map(String));
    return html`<p class="note">Key: ${ways.map((way) => Object.keys(way).join(" + ")).join(", or ")}${scopes.size > 0 ? `; scope ${[...scopes].join(", ")}` : null}</p>`;
  };

  const responses = (operation: OpenApiOperation): Html => {
    const rows = Object.entries(operation.responses).map(([status, response]) => {
      const content = contentOf(response);
      const errors = isObject(content["examples"]) ? Object.keys(content["examples"]) : [];
      const properties =
        isObject(content["schema"]) && isObject(content["schema"]["properties"])
          ? content["schema"]["properties"]
          : {};
      const words =
        errors.length > 0
          ? {
              html: errors
                .map((name) => html`<a href="docs/errors#${name}"><code>${name}</code></a>`.html)
                .join(", "),
            }
          : inline(String(follow(response)["description"]));
      return html`<dt><span class="tag">${status}</span></dt><dd>${words}${properties["data"] ? html` <code>data</code>: ${typeOf(properties["data"])}` : null}</dd>`;
    });
    return html`<h4>Answers</h4><dl>${rows}</dl>`;
  };

  return {
    fields,
    examples,
    operation: (method: string, path: string, operation: OpenApiOperation): Html =>
      html`<h3 id="${operation.operationId}">${operation.summary}</h3><p><span class="tag">${method}</span> <code>${path}</code></p>${prose(operation.description)}${security(operation)}${parameters(operation)}${body(operation)}${responses(operation)}`,
    webhook: (type: string, operation: OpenApiOperation): Html =>
      html`<h3 id="${type}"><code>${type}</code></h3><p>${operation.summary}</p>${prose(operation.description)}${body(operation)}`,
  };
}
