import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Exchange, type Judge, openapiJudge } from "../openapi-judge.ts";

const file = resolve(import.meta.dirname, "../../fixtures/providers/pix-api-2.9.0.json.gz");

type Json = { readonly [key: string]: unknown };
type Schemas = Readonly<Record<string, Json>>;

/** What is judged of a call to the fake bank, and of its messages. Each list names faults. */
export interface PixJudge {
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

/** The values that the document lists of a schema, or of one property of it. */
export function enumOfDocument(name: string, property?: string): readonly string[] {
  const schema = readDocument().components.schemas[name];
  return property === undefined ? schema.enum : schema.properties[property].enum;
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
      method === "GET" ? [] : official.body({ method, path }, body),
    answer: (exchange, status, body) => official.answer(exchange, status, body),
    message: ({ pix }) => (pix as Json[]).flatMap((one) => official.schema("Pix", one)),
  };
}

/** Gives every operation the form that the shared judge reads: 200 and `default`, without names. */
function readOperation(operation: Json, components: Json): Json {
  const { requestBody, responses } = operation as { requestBody?: Json; responses?: Schemas };
  const body = requestBody?.["$ref"];
  const good = responses?.["200"] ?? responses?.["201"];
  const problem = { content: { json: { schema: { $ref: "#/components/schemas/Problema" } } } };
  return {
    ...operation,
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

  const { allOf: _, ...rest } = whole;
  const listOf = (key: string) =>
    [...read, rest].flatMap((part) => (part[key] as readonly string[] | undefined) ?? []);
  return {
    ...rest,
    type: "object",
    properties: Object.assign({}, ...read.map((part) => part["properties"] ?? {})),
    required: [...new Set(listOf("required"))],
  } as T;
}

/**
 * The document's own examples leave out `loc.criacao` and `loc.txid`, and `location` has no scheme
 * there (formats are not checked). Its pattern of a CPF stands between slashes, which no CPF has.
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
  return schema as T;
}
