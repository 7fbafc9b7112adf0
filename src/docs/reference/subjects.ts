import type { OpenApiDocument } from "../../contract/openapi/openapi.ts";
import { type ListedOperation, operationsOf } from "../document.ts";
import type { Slug } from "../reading.ts";
import { listOf } from "./json.ts";

/** The operations of one tag of the API document. They are one page. */
export interface Subject {
  readonly slug: Slug;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ListedOperation[];
}

/** Lists the subjects of the document, each with the page that it has. */
export function subjectsOf(document: OpenApiDocument): readonly Subject[] {
  const operations = operationsOf(document);
  return document.tags.map(({ name, description }) => ({
    slug: name.toLowerCase(),
    name,
    description,
    operations: operations.filter(({ operation }) => listOf(operation["tags"]).includes(name)),
  }));
}

/** Gives the page on which an operation stands. */
export const slugOf = (document: OpenApiDocument, operationId: string): Slug =>
  subjectsOf(document).find(({ operations }) =>
    operations.some(({ operation }) => operation.operationId === operationId),
  )?.slug ?? "";
