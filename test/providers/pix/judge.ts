import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Exchange, type Judge, openapiJudge } from "../openapi-judge.ts";

const file = resolve(import.meta.dirname, "../../fixtures/providers/pix-api-2.9.0.json.gz");

type Json = { readonly [key: string]: unknown };
type Schemas = Readonly<Record<string, Json>>;

/** What is judged of a call to the fake bank, and of its messages. Each list names faults. */
export interface PixJudge {
  /** Judges the body, and the query of a `GET`. */
  request(exchange: Exchange, body: Json): readonly string[];
  answer(exchange: Exchange, status: number, body: Json): readonly string[];
  message(body: Json): readonly string[];
}

let judge: PixJudge | null = null;

/** Judges by the Banco Central's own document. It is compiled once in a process. */
export function pixJudge(): PixJudge {
  judge ??= createJudge();
  return judge;
}

const readDocument = () => JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));

/** The values that the document lists of a schema, or of a property: `list.field` is of its items. */
export function enumOfDocument(name: string, property = ""): readonly string[] {
  let schema = readDocument().components.schemas[name];
  for (const field of property.split(".").filter(Boolean))
    schema = (schema.properties ?? schema.items.properties)[field];
  return schema.enum;
}

function createJudge(): PixJudge {
  const document = readDocument();
  const { components } = document;
  const { Violacao: _, ...schemas } = flattenedAll(components.schemas);
  const paths = Object.fromEntries(
    Object.entries(document.paths as Record<string, Json>).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          readOperation(operation as Json, components),
        ]),
      ),
    ]),
  );
  const official: Judge = openapiJudge({
    paths: paths as never,
    components: { schemas: { ...schemas, Violacao: components.schemas.Violacao } },
  });

  return {
    request: ({ method, path }, body) =>
      method === "GET"
        ? official.query({ method, path }, body)
        : official.body({ method, path }, body),
    answer: (exchange, status, body) => official.answer(exchange, status, body),
    message: (body) =>
      Object.entries(body).flatMap(([kind, list]) =>
        (list as Json[]).flatMap((one) => official.schema(notifications[kind] ?? kind, one)),
      ),
  };
}

/** The schemas of what messages tell of. */
const notifications: Readonly<Record<string, string>> = {
  pix: "Pix",
  recs: "RecNotification",
  cobsr: "CobRNotification",
};

/** Gives every operation the form that the shared judge reads: 200 and `default`, without names. */
function readOperation(operation: Json, components: Json): Json {
  const { requestBody, responses, parameters } = operation as {
    requestBody?: Json;
    responses?: Schemas;
    parameters?: readonly Json[];
  };
  const shared = components["parameters"] as Schemas;
  const named = ({ $ref, ...own }: Json): Json =>
    typeof $ref === "string" ? (shared[$ref.split("/").at(-1) ?? ""] ?? {}) : own;
  const body = requestBody?.["$ref"];
  const good = responses?.["200"] ?? responses?.["201"];
  const problem = { content: { json: { schema: { $ref: "#/components/schemas/Problema" } } } };
  return {
    ...operation,
    ...(parameters !== undefined && { parameters: repaired(parameters.map(named)) }),
    responses: {
      "200": good?.["content"] ? good : { content: { json: { schema: { type: "object" } } } },
      default: problem,
    },
    ...(typeof body === "string" && {
      requestBody: (components["requestBodies"] as Schemas)[body.split("/").at(-1) ?? ""],
    }),
  };
}

const flattenedAll = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, repaired(flattened(schema, schemas))]),
  );

/**
 * Writes `allOf` of objects as one object, so that the fields of one part are known to the others
 * when unknown fields are refused.
 */
function flattened<T>(value: T, schemas: Schemas): T {
  if (Array.isArray(value)) return value.map((inner) => flattened(inner, schemas)) as T;
  if (typeof value !== "object" || value === null) return value;

  const whole = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, flattened(inner, schemas)]),
  ) as Json;
  const parts = whole["allOf"];
  if (!Array.isArray(parts)) return whole as T;

  const read = parts.map((part: Json) => {
    const name = part["$ref"];
    const named = typeof name === "string" ? schemas[name.split("/").at(-1) ?? ""] : part;
    return flattened(named ?? {}, schemas);
  });
  if (!read.some((part) => "properties" in part)) return whole as T;

  const { allOf: _, oneOf, ...rest } = whole;
  if (Array.isArray(oneOf)) {
    const branches = oneOf.map((branch) => flattened({ allOf: [...parts, branch] }, schemas));
    return { ...rest, oneOf: branches } as T;
  }
  const listOf = (key: string) =>
    [...read, rest].flatMap((part) => (part[key] as readonly string[] | undefined) ?? []);
  return {
    ...rest,
    type: "object",
    properties: read.reduce(
      (all: Json, part) => mergedProperties(all, part["properties"], schemas),
      {},
    ),
    required: [...new Set(listOf("required"))],
  } as T;
}

/** A property that several parts describe is all that they say of it. */
function mergedProperties(all: Json, more: unknown, schemas: Schemas): Json {
  const merged: Record<string, unknown> = { ...all };
  for (const [name, schema] of Object.entries((more ?? {}) as Json))
    merged[name] = name in merged ? flattened({ allOf: [merged[name], schema] }, schemas) : schema;
  return merged;
}

/**
 * The document's own examples leave out `loc.criacao` and `loc.txid`, and `location` has no scheme
 * there (formats are not checked). Its pattern of a CPF stands between slashes, which no CPF has.
 * Some objects require a field that they do not list, and the `valor` of a Pix Automático is a text
 * that must be an object too.
 */
function repaired<T>(value: T): T {
  if (Array.isArray(value)) return value.map(repaired) as T;
  if (typeof value !== "object" || value === null) return value;

  const schema = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, repaired(inner)]),
  ) as Record<string, unknown>;
  if (schema["pattern"] === "/^\\d{11}$/") schema["pattern"] = "^\\d{11}$";

  const { properties, required } = schema;
  const isLocation =
    typeof properties === "object" && properties !== null && "tipoCob" in properties;
  if (isLocation && Array.isArray(required))
    schema["required"] = required.filter((name) => name !== "criacao" && name !== "txid");
  if (typeof properties === "object" && properties !== null && Array.isArray(required))
    schema["required"] = (schema["required"] as readonly string[]).filter(
      (name) => name in properties,
    );
  if (schema["type"] === "string") delete schema["anyOf"];
  return schema as T;
}
