import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { openApiDocument } from "vitrine/openapi";
import { type Operation, paths } from "../../src/contract/paths.ts";

/**
 * The published document with every object closed. Clients must accept unknown members, but our own
 * answers must not have any.
 */
const document = strict(openApiDocument());
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addFormat("uri", (value) => URL.canParse(value));
ajv.addSchema(document, "api");
const validators = new Map<string, ValidateFunction>();

/**
 * Checks an answer against the document: its status is listed for the operation, its body fits the
 * schema, and an error's code is one of the examples.
 */
export function checkAgainstDocument(
  operation: Operation,
  method: string,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  },
): void {
  const path = paths[operation].slice(paths[operation].indexOf(" ") + 1);
  const responses =
    document.paths[path]?.[method === "HEAD" ? "get" : method.toLowerCase()]?.responses ?? {};
  const response = responses[answer.status] as
    | {
        readonly headers?: object;
        readonly content?: Record<string, { readonly examples?: object }>;
      }
    | undefined;
  if (!response)
    throw new Error(`${operation} answered ${answer.status}, which its document does not list.`);
  for (const name of Object.keys(answer.headers)) {
    if (!hostHeaders.has(name) && !/^access-control-/.test(name))
      expect(
        Object.keys(response.headers ?? {}).map((known) => known.toLowerCase()),
        `${operation} ${answer.status}`,
      ).toContain(name);
  }
  if (answer.body === null) return;

  const pointer = `paths/${pointerPart(path)}/${method.toLowerCase()}/responses`;
  check(`${pointer}/${answer.status}/content/application~1json/schema`, answer.body);

  const { error } = answer.body as { error?: { code: string } };
  if (error)
    expect(
      Object.keys(response.content?.["application/json"]?.examples ?? {}),
      `${operation} ${answer.status}`,
    ).toContain(error.code);
}

/** Checks the body of a webhook as it is sent. */
export function checkEvent(body: string): void {
  const event = JSON.parse(body) as { type: string };
  // The owner sends `webhook.test` by hand. It is no event of the API but has the same shape.
  const test = event.type === "webhook.test";
  check(
    test
      ? "components/schemas/Event"
      : `webhooks/${pointerPart(event.type)}/post/requestBody/content/application~1json/schema`,
    event,
  );
}

export function check(pointer: string, value: unknown): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
  validators.set(pointer, validate);
  if (!validate(value))
    throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/** The document describes these codes once for all operations. */
const hostHeaders = new Set(["content-type", "content-length", "x-content-type-options"]);
const pointerPart = (part: string): string =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

function strict<T>(part: T): T {
  if (Array.isArray(part)) return part.map(strict) as T;
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === "examples" ? value : strict(value),
    ]),
  );
  const { type, properties, additionalProperties } = copy as AnySchemaObject;
  return (
    type === "object" && properties && additionalProperties === undefined
      ? { ...copy, additionalProperties: false }
      : copy
  ) as T;
}
