import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Exchange } from "../openapi-judge.ts";
import { openapiJudge } from "../openapi-judge.ts";
import type { Form } from "./form.ts";
import { newerEvents, newerFields } from "./newer-fields.ts";

const file = resolve(import.meta.dirname, "../../fixtures/providers/stripe-openapi.json.gz");

type Json = { readonly [key: string]: unknown };

/** What is judged of one call to the fake. Each list names faults. */
export interface StripeJudge {
  request(exchange: Exchange, params: Form): readonly string[];
  answer(exchange: Exchange, status: number, body: Json): readonly string[];
  event(event: Json): readonly string[];
}

let judge: StripeJudge | null = null;

/** Judges by Stripe's own document. It is compiled once in a process, part by part. */
export function stripeJudge(): StripeJudge {
  judge ??= createJudge();
  return judge;
}

const readDocument = () => JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));

/** The types of events that the document lists, and those that Stripe added later. */
export function eventsOfDocument(document = readDocument()): readonly string[] {
  const listed: readonly string[] =
    document.paths["/v1/webhook_endpoints"].post.requestBody.content[
      "application/x-www-form-urlencoded"
    ].schema.properties.enabled_events.items.enum;
  return [...new Set([...listed, ...newerEvents.map(({ type }) => type)])];
}

/** The statuses that the document lists of an object; a refund's stand in its description alone. */
export function statusesOfDocument(name: string): readonly string[] {
  const { status } = readDocument().components.schemas[name].properties;
  if (status.enum) return status.enum;
  const quoted: readonly string[] = status.description.match(/(?<=`)[a-z_]+(?=`)/g) ?? [];
  return [...new Set(quoted)];
}

function createJudge(): StripeJudge {
  const document = readDocument();
  const { query, body, answer, schema } = openapiJudge(expandingLess(document));
  const eventTypes = new Set(eventsOfDocument(document));

  return {
    request(exchange, params) {
      const known = withoutNewer(exchange, params);
      return exchange.method === "GET" ? query(exchange, known) : body(exchange, known);
    },
    answer,
    event(event) {
      const type = String(event["type"]);
      const { object } = event["data"] as { readonly object: Json };
      return [
        ...(eventTypes.has(type) ? [] : [`There is no event ${type}.`]),
        ...schema("event", event),
        ...schema(String(object["object"]), object),
      ];
    },
  };
}

function withoutNewer({ method, path }: Exchange, params: Form): Form {
  const known = structuredClone(params);
  for (const newer of newerFields) {
    if (newer.method !== method || newer.path !== path) continue;

    const names = newer.field.split(".");
    const last = names.pop() ?? "";
    const place = names.reduce<Form>((form, name) => (form[name] ?? {}) as Form, known);
    delete place[last];
  }
  return known;
}

const expandable: ReadonlySet<unknown> = new Set([
  "payment_intent",
  "setup_intent",
  "charge",
  "balance_transaction",
]);

/**
 * Leaves ids alone in the fields that nobody expands here. Otherwise every answer would draw in
 * nearly all of Stripe's 775 schemas, which take seconds to compile.
 */
function expandingLess<T>(value: T): T {
  if (Array.isArray(value)) return value.map(expandingLess) as T;
  if (typeof value !== "object" || value === null) return value;

  const schema = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, expandingLess(inner)]),
  );
  const { anyOf } = schema;
  if (!("x-expansionResources" in schema) || !Array.isArray(anyOf)) return schema as T;

  const named = ({ $ref }: { readonly $ref?: string }) => $ref?.split("/").at(-1);
  const isKept = (variant: { readonly $ref?: string }) =>
    variant.$ref === undefined || expandable.has(named(variant));
  return { ...schema, anyOf: anyOf.filter(isKept) } as T;
}
