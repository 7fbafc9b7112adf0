import type { Text } from "../../domain/plural.ts";

/** The texts around each page of the documents, in English. */
export const frameEnglish = {
  skip: "Skip to the content",
  contents: "Contents",
  start: "API",
  errors: "Errors",
  samples_in: "Samples in",
  search: "Search the documents",
  other_language: "Português",
  guides: "Guides",
  reference: "Reference",
  webhooks: "Webhooks",
  schemas: "Schemas",
  error_reference: "Error reference",
  copy: "Copy",
  example: "Example",
  answer: "Answer",
  body: "Body",
  every_page: "Every page, and what stands on it",
  whole_api:
    "The whole API as data: [OpenAPI 3.1]({openapi}), which Postman and code generators import. " +
    "For JavaScript and TypeScript there is a typed client in `vitrine/client`, which repeats a " +
    "call that failed and pages through lists.",
  base_address: "Base address",
  api_title: "Storefront API",
  webhooks_text:
    "What the store tells your server, as signed messages. Each event comes at least once.",
  schemas_text: "The objects that calls take and answers hold.",
  event_schemas: "Schemas of events",
  event_schemas_text: "The bodies of webhooks, which are those of the events that a list gives.",
  errors_text: "Act on `error.code`; messages may change.",
} as const satisfies Readonly<Record<string, Text>>;
