import { type PublicErrorCode, publicErrors } from "../contract/errors.ts";
import { type Html, html } from "../contract/html.ts";
import type { JsonObject } from "../contract/openapi/openapi-schemas.ts";
import { guides } from "./guides/guides.ts";
import { inline, prose } from "./markup.ts";
import { blocksInEnglish, type Reading, type Slug, told } from "./reading.ts";
import { renderError } from "./reference/error-html.ts";
import { renderOperation, renderWebhook } from "./reference/operation-html.ts";
import { exampleOf, fieldList, schemaPageOf } from "./reference/schema-html.ts";
import { type Subject, subjectsOf } from "./reference/subjects.ts";
import { operationTitles, tagNames, tagTexts } from "./texts/contract-pt.ts";

// The list of the pages. The contents, the first page, the search and the pages themselves are
// made of it.

/** A place on a page that has an anchor. */
export interface Place {
  readonly id: string;
  readonly title: string;
  /** True for a title that is a name in the API: it is the same in every language. */
  readonly isCode?: boolean;
  readonly body: () => Html;
}

export interface Page {
  readonly slug: Slug;
  readonly title: string;
  readonly group: "guides" | "reference";
  /** The anchor of the page's text when all documents were one page. Null for a newer page. */
  readonly oldAnchor: string | null;
  /** The text above the first place. */
  readonly lead: () => Html;
  readonly places: readonly Place[];
  /** False when nothing on the page is shown in several programming languages. */
  readonly hasSamples: boolean;
}

/** Lists every page but the first, in the order of the contents. */
export const pagesOf = (reading: Reading): readonly Page[] => [
  ...guidePages(reading),
  ...subjectsOf(reading.document).map((subject) => subjectPage(reading, subject)),
  webhooksPage(reading),
  schemasPage(reading, "schemas"),
  schemasPage(reading, "event-schemas"),
  errorsPage(reading),
];

const guidePages = (reading: Reading): readonly Page[] =>
  guides.map(({ slug, title, body, hasSamples }) => ({
    slug,
    title: reading.words.say(title),
    group: "guides",
    oldAnchor: slug,
    lead: () => html`<div class="guide">${body(reading)}</div>`,
    places: [],
    hasSamples,
  }));

function subjectPage(reading: Reading, subject: Subject): Page {
  const { slug, name, description, operations } = subject;
  return {
    slug,
    title: told(reading, tagNames, name) ?? name,
    group: "reference",
    oldAnchor: name,
    lead: () => prose(told(reading, tagTexts, name) ?? description),
    places: operations.map((listed) => {
      const { operationId, summary } = listed.operation;
      const title = told(reading, operationTitles, operationId) ?? summary;
      return { id: operationId, title, body: () => renderOperation(reading, listed, title) };
    }),
    hasSamples: true,
  };
}

function webhooksPage(reading: Reading): Page {
  const { say } = reading.words;
  const webhooks = Object.entries(reading.document.webhooks).flatMap(([type, item]) =>
    item["post"] ? [{ type, operation: item["post"] }] : [],
  );
  return {
    slug: "webhooks",
    title: say("webhooks"),
    group: "reference",
    oldAnchor: "webhooks",
    lead: () => html`<p>${say("webhooks_text")}</p>`,
    places: webhooks.map(({ type, operation }) => ({
      id: type,
      title: type,
      isCode: true,
      body: () => renderWebhook(reading, type, operation),
    })),
    hasSamples: false,
  };
}

const schemaTexts = {
  schemas: ["schemas", "schemas_text"],
  "event-schemas": ["event_schemas", "event_schemas_text"],
} as const;

function schemasPage(reading: Reading, slug: keyof typeof schemaTexts): Page {
  const { say } = reading.words;
  const [title, text] = schemaTexts[slug];
  const all = Object.entries(reading.document.components["schemas"] ?? {});
  const schemas = all.filter(([name]) => schemaPageOf(reading, name) === slug);
  return {
    slug,
    title: say(title),
    group: "reference",
    oldAnchor: slug,
    lead: () => html`<p>${say(text)}</p>`,
    places: schemas.map(([name, schema]) => ({
      id: `schema-${name}`,
      title: name,
      isCode: true,
      body: () => renderSchema(reading, { slug, name, schema: schema as JsonObject }),
    })),
    hasSamples: false,
  };
}

interface ListedSchema {
  readonly slug: keyof typeof schemaTexts;
  readonly name: string;
  readonly schema: JsonObject;
}

function renderSchema(reading: Reading, { slug, name, schema }: ListedSchema): Html {
  const { description } = schema;
  const text = description ? blocksInEnglish(reading, prose(String(description))) : null;
  // An event's example is beside its webhook too, and longer than its fields.
  const example = slug === "schemas" ? exampleOf(reading, schema) : null;
  return html`<article class="schema" id="schema-${name}"><h2><code>${name}</code></h2>
<div>${text}${fieldList(reading, schema)}</div><div class="beside">${example}</div></article>`;
}

function errorsPage(reading: Reading): Page {
  const { say } = reading.words;
  const codes = Object.keys(publicErrors) as PublicErrorCode[];
  return {
    slug: "errors",
    title: say("error_reference"),
    group: "reference",
    oldAnchor: null,
    lead: () => html`<p>${inline(say("errors_text"))}</p>`,
    places: codes.map((code) => ({
      id: code,
      title: code,
      isCode: true,
      body: () => renderError(reading, code),
    })),
    hasSamples: false,
  };
}
