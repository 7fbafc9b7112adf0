import { type Html, html } from "./html.ts";
import type { OpenApiDocument, OpenApiOperation } from "./openapi.ts";
import type { JsonObject } from "./openapi-schemas.ts";
import { type ListedOperation, renderOperation, renderWebhook } from "./operation-html.ts";
import { inline, prose, renderPage } from "./page.ts";
import { exampleOf, fieldList, listOf } from "./schema-html.ts";

/** The operations of one tag. */
interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ListedOperation[];
}

interface ListedWebhook {
  readonly type: string;
  readonly operation: OpenApiOperation;
}

type NamedPart = readonly [name: string, part: JsonObject];

/**
 * Shows the API document as one page. Each operation, event and schema has an
 * anchor, and each error is a link to the error reference.
 */
export function renderApiReference(document: OpenApiDocument): string {
  const groups = groupsOf(document);
  const webhooks = webhooksOf(document);
  const schemas = namedParts(document, "schemas");

  const server = html`<p>Base address: <code>${document.servers[0]?.url ?? ""}</code></p>`;
  const contents = renderContents(groups, webhooks, schemas);
  const sections = [
    renderAuthentication(namedParts(document, "securitySchemes")),
    html`${groups.map((group) => renderGroup(document, group))}`,
    renderWebhooks(document, webhooks),
    renderSchemas(schemas),
  ];

  const { title, version, description } = document.info;
  const body = sections.map((section) => html`\n${section}`);
  return renderPage(`${title} ${version}`, html`${prose(description)}${server}${contents}${body}`);
}

function groupsOf(document: OpenApiDocument): readonly Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => listOf(operation["tags"]).includes(name)),
  }));
}

const webhooksOf = (document: OpenApiDocument): readonly ListedWebhook[] =>
  Object.entries(document.webhooks).flatMap(([type, item]) =>
    item["post"] ? [{ type, operation: item["post"] }] : [],
  );

const namedParts = (document: OpenApiDocument, kind: string): readonly NamedPart[] =>
  Object.entries(document.components[kind] ?? {}) as [string, JsonObject][];

function renderContents(
  groups: readonly Group[],
  webhooks: readonly ListedWebhook[],
  schemas: readonly NamedPart[],
): Html {
  const groupItems = groups.map(({ name, operations }) => {
    const links = operations.map(({ operation: { operationId, summary } }) =>
      link(operationId, summary),
    );
    return html`<li>${name}<ul>${links}</ul></li>`;
  });
  const webhookLinks = webhooks.map(({ type }) => link(type, type));
  const schemaLinks = schemas.map(([name]) => link(`schema-${name}`, name));

  const items = [
    ...groupItems,
    html`<li>Webhooks<ul>${webhookLinks}</ul></li>`,
    html`<li>Schemas<ul>${schemaLinks}</ul></li>`,
    html`<li><a href="docs/errors">Errors</a></li>`,
    html`<li><a href="openapi.json">OpenAPI 3.1</a></li>`,
  ];
  return html`<details><summary>Contents</summary><ul>${items}</ul></details>`;
}

const link = (anchor: string, text: string): Html =>
  html`<li><a href="#${anchor}">${text}</a></li>`;

function renderAuthentication(schemes: readonly NamedPart[]): Html {
  const rows = schemes.map(([name, { description }]) => {
    const term = html`<dt><code>${name}</code></dt>`;
    return html`${term}<dd>${inline(String(description))}</dd>`;
  });
  return html`<h2 id="authentication">Authentication</h2><dl>${rows}</dl>`;
}

function renderGroup(document: OpenApiDocument, group: Group): Html {
  const operations = group.operations.map((listed) => renderOperation(document, listed));
  return html`<h2 id="${group.name}">${group.name}</h2>${prose(group.description)}${operations}`;
}

function renderWebhooks(document: OpenApiDocument, webhooks: readonly ListedWebhook[]): Html {
  const rows = webhooks.map(({ type, operation }) => renderWebhook(document, type, operation));
  return html`<h2 id="webhooks">Webhooks</h2>${rows}`;
}

function renderSchemas(schemas: readonly NamedPart[]): Html {
  const rows = schemas.map(([name, schema]) => {
    const heading = html`<h3 id="schema-${name}">${name}</h3>`;
    const text = schema["description"] ? prose(String(schema["description"])) : null;
    return html`${heading}${text}${fieldList(schema)}${exampleOf(schema)}`;
  });
  return html`<h2 id="schemas">Schemas</h2>${rows}`;
}
