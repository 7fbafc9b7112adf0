import type { OpenApiDocument, OpenApiOperation } from "../contract/openapi/openapi.ts";
import type { JsonObject } from "../contract/openapi/openapi-schemas.ts";
import { isObject, listOf } from "./reference/json.ts";

// The pages read the API document with these functions.

export interface ListedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

/** Lists every operation of the document, in the order of the document. */
export const operationsOf = (document: OpenApiDocument): readonly ListedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

/** Gives the part that the `$ref` of this part names. A part without a `$ref` is given as it is. */
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

/** Gives the JSON content of a request or an answer. It is an empty object when there is none. */
export function contentOf(document: OpenApiDocument, part: unknown): JsonObject {
  const content = follow(document, part)["content"];
  if (!isObject(content) || !isObject(content["application/json"])) return {};
  return content["application/json"];
}

/** Gives the example of the operation's request body. It is undefined when there is no body. */
export function requestExample(document: OpenApiDocument, operation: OpenApiOperation): unknown {
  const { schema, example } = contentOf(document, operation["requestBody"]);
  return example ?? listOf(follow(document, schema)["examples"])[0];
}

/** Gives the example of the operation's successful answer. */
export function answerExample(document: OpenApiDocument, operation: OpenApiOperation): unknown {
  const success = Object.entries(operation.responses).find(([status]) => /^2/.test(status));
  return contentOf(document, success?.[1])["example"];
}

/** Tells whether a publishable key is enough to call the operation. */
export const isForBrowsers = (operation: OpenApiOperation): boolean =>
  listOf(operation["security"])
    .filter(isObject)
    .some((way) => "publishableKey" in way && !("customerToken" in way));
