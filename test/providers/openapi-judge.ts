import { Ajv, type ValidateFunction } from "ajv";

type Json = { readonly [key: string]: unknown };

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

/** The parts of an OpenAPI 3.0 document that the judge reads. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** A request, or the answer to one. `path` is a path of the document, e.g. `/v1/refunds/{refund}`. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
}

/** Judges what goes to a provider and what comes back. Each list names faults; empty is well. */
export interface Judge {
  query(exchange: Exchange, query: Json): readonly string[];
  body(exchange: Exchange, body: Json): readonly string[];
  answer(exchange: Exchange, status: number, body: Json): readonly string[];
  schema(name: string, value: Json): readonly string[];
}

/**
 * Compiles a provider's document with ajv. A field that the document does not know is a fault.
 * Forms and queries hold text only, so there `"1"` is taken for an integer.
 */
export function openapiJudge({ paths, components }: OpenapiDocument): Judge {
  const document = { $id: "document", components: closed(components) };
  const options = { strict: false, validateFormats: false, allErrors: true } as const;
  const forText = new Ajv({ ...options, coerceTypes: "array" }).addSchema(document);
  const forJson = new Ajv(options).addSchema(document);

  const compiled = new Map<string, ValidateFunction>();
  const faultsOf = (name: string, ajv: Ajv, schema: () => Json, value: Json): readonly string[] => {
    const known = compiled.get(name) ?? ajv.compile(schema());
    compiled.set(name, known);
    // Validation of text changes the value to the types that it found.
    if (known(structuredClone(value))) return [];
    return (known.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  };
  const operationOf = ({ method, path }: Exchange): Operation => {
    const operation = paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`The document has no ${method} ${path}.`);
    return operation;
  };

  return {
    query: (exchange, query) =>
      faultsOf(
        `query ${exchange.method} ${exchange.path}`,
        forText,
        () => querySchema(operationOf(exchange)),
        query,
      ),
    body: (exchange, body) =>
      faultsOf(
        `body ${exchange.method} ${exchange.path}`,
        forText,
        () => bodySchema(operationOf(exchange)),
        body,
      ),
    answer(exchange, status, body) {
      const key = status < 300 ? "200" : "default";
      const schema = () => answerSchema(operationOf(exchange), key);
      return faultsOf(`answer ${exchange.method} ${exchange.path} ${key}`, forJson, schema, body);
    },
    schema: (name, value) =>
      faultsOf(name, forJson, () => ({ $ref: `document#/components/schemas/${name}` }), value),
  };
}

function querySchema({ parameters = [] }: Operation): Json {
  const query = parameters.filter((parameter) => parameter.in === "query");
  return prepared({
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  });
}

function bodySchema({ requestBody }: Operation): Json {
  const [content] = Object.values(requestBody?.content ?? {});
  return prepared(content?.schema ?? {});
}

function answerSchema({ responses }: Operation, key: string): Json {
  const [content] = Object.values(responses[key]?.content ?? {});
  if (!content) throw new Error(`The document has no answer ${key}.`);
  return prepared(content.schema);
}

const prepared = (schema: Json): Json => {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components');
  return JSON.parse(text);
};

/**
 * Gives the schema in the words of JSON Schema: `nullable` is a word of OpenAPI alone. Objects
 * whose fields are listed take no others.
 */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== "object" || value === null) return value;

  const { nullable, discriminator: _, ...rest } = value as Json;
  const schema: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, closed(inner)]),
  );
  const listsFields = typeof schema["properties"] === "object" && schema["type"] === "object";
  if (listsFields && !("additionalProperties" in schema)) schema["additionalProperties"] = false;
  return (nullable === true ? { anyOf: [schema, { type: "null" }] } : schema) as T;
}
