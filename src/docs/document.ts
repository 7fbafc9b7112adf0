import type { OpenApiDocument, OpenApiOperation } from "../contract/openapi.ts";
import type { JsonObject } from "../contract/openapi-schemas.ts";
import { isObject, listOf } from "./schema-html.ts";

// How the pages read the API document.

export interface ListedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

/** Every operation of the document, in its order. */
export const operationsOf = (document: OpenApiDocument): readonly ListedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

/** The part itself, or the part of the document that its `$ref` names. */
export function follow(document: OpenApiDocument, part: unknown): JsonObject {
  if (!isObject(part)) return {};
  if (typeof part["$ref"] !== "string") return part;

  const names = part["$ref"].split("/").slice(1);
  const target = names.reduce<unknown>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    document,
  );
  return isObject(target) ? target : part;
}

/** The JSON content of a request or an answer; an empty object when it has none. */
export function contentOf(document: OpenApiDocument, part: unknown): JsonObject {
  const content = follow(document, part)["content"];
  if (!isObject(content) || !isObject(content["application/json"])) return {};
  return content["application/json"];
}

/** The example of what the operation is sent; undefined when it takes no body. */
export function requestExample(document: OpenApiDocument, operation: OpenApiOperation): unknown {
  const { schema, example } = contentOf(document, operation["requestBody"]);
  return example ?? listOf(follow(document, schema)["examples"])[0];
}

/** The example of the operation's own answer. */
export function answerExample(document: OpenApiDocument, operation: OpenApiOperation): unknown {
  const success = Object.entries(operation.responses).find(([status]) => /^2/.test(status));
  return contentOf(document, success?.[1])["example"];
}

/** Whether a publishable key alone may call the operation. */
export const isForBrowsers = (operation: OpenApiOperation): boolean =>
  listOf(operation["security"])
    .filter(isObject)
    .some((way) => "publishableKey" in way && !("customerToken" in way));
