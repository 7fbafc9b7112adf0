import { type Html, html } from "../../contract/html.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../contract/openapi/openapi.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { type ListedOperation, operationsOf } from "../document.ts";
import { type Guide, guidesOf } from "../guides.ts";
import { inline, prose } from "../markup.ts";
import { renderPage } from "../page.ts";
import { renderOperation, renderWebhook } from "./operation-html.ts";
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
 * Shows the guides and the API document as one page. Each guide, operation, event and
 * schema has an anchor, and each error is a link to the error reference.
 */
export function renderApiReference(document: OpenApiDocument): string {
  const guides = guidesOf(document);
  const groups = groupsOf(document);
  const webhooks = webhooksOf(document);
  const schemas = namedParts(document, "schemas");

  const sections = [
    renderIntroduction(document),
    ...guides.map(({ id, title, body }) => section(id, title, body)),
    renderAuthentication(namedParts(document, "securitySchemes")),
    html`${groups.map((group) => renderGroup(document, group))}`,
    renderWebhooks(document, webhooks),
    renderSchemas(schemas),
  ];
  return renderPage({
    title: document.info.title,
    toApi: "",
    hasSamples: true,
    contents: renderContents({ guides, groups, webhooks, schemas }),
    main: html`${sections.map((part) => html`${part}\n`)}`,
  });
}

function renderIntroduction({ info, servers }: OpenApiDocument): Html {
  const address = html`<p>Base address: <code>${servers[0]?.url ?? ""}</code></p>`;
  const tools = html`<p>The whole API as data: <a href="openapi.json">OpenAPI 3.1</a>, which Postman
and code generators import. For JavaScript and TypeScript there is a typed client in
<code>vitrine/client</code>, which repeats a call that failed and pages through lists.</p>`;
  return html`${address}${prose(info.description)}${tools}`;
}

function groupsOf(document: OpenApiDocument): readonly Group[] {
  const operations = operationsOf(document);
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

interface Contents {
  readonly guides: readonly Guide[];
  readonly groups: readonly Group[];
  readonly webhooks: readonly ListedWebhook[];
  readonly schemas: readonly NamedPart[];
}

function renderContents({ guides, groups, webhooks, schemas }: Contents): Html {
  const list = (name: string, links: readonly Html[]): Html =>
    html`<p class="group">${name}</p><ul>${links}</ul>`;

  const lists = [
    list("Guides", [
      ...guides.map(({ id, title }) => link(id, title)),
      link("authentication", "Authentication"),
    ]),
    ...groups.map(({ name, operations }) =>
      list(
        name,
        operations.map(({ operation }) => link(operation.operationId, operation.summary)),
      ),
    ),
    list(
      "Webhooks",
      webhooks.map(({ type }) => link(type, type)),
    ),
    list(
      "Schemas",
      schemas.map(([name]) => link(`schema-${name}`, name)),
    ),
  ];
  return html`${lists}`;
}

const link = (anchor: string, text: string): Html =>
  html`<li><a href="#${anchor}">${text}</a></li>`;

const section = (id: string, title: string, body: Html): Html =>
  html`<section id="${id}"><h2>${title}</h2>${body}</section>`;

function renderAuthentication(schemes: readonly NamedPart[]): Html {
  const rows = schemes.map(([name, { description }]) => {
    const term = html`<dt><code>${name}</code></dt>`;
    return html`${term}<dd>${inline(String(description))}</dd>`;
  });
  return section("authentication", "Authentication", html`<dl>${rows}</dl>`);
}

function renderGroup(document: OpenApiDocument, { name, description, operations }: Group): Html {
  const articles = operations.map((listed) => renderOperation(document, listed));
  return section(name, name, html`${prose(description)}${articles}`);
}

function renderWebhooks(document: OpenApiDocument, webhooks: readonly ListedWebhook[]): Html {
  const rows = webhooks.map(({ type, operation }) => renderWebhook(document, type, operation));
  return section("webhooks", "Webhooks", html`${rows}`);
}

function renderSchemas(schemas: readonly NamedPart[]): Html {
  const rows = schemas.map(([name, schema]) => {
    const text = schema["description"] ? prose(String(schema["description"])) : null;
    return html`<section id="schema-${name}"><h3>${name}</h3>
${text}${fieldList(schema)}${exampleOf(schema)}</section>`;
  });
  return section("schemas", "Schemas", html`${rows}`);
}
