import { z } from "zod";
import { ProductPut } from "../catalog/product-input.ts";
import { type Cell, type ColumnTree, columnsOf } from "./cells.ts";

/** What a schema says of a field. A field that may be null has its rules in the list. */
type Rules = z.core.JSONSchema.JSONSchema | boolean;

const cells = new Map<unknown, Cell>([
  ["string", "text"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
]);

const treeOf = (fields: Readonly<Record<string, Rules>> = {}): ColumnTree =>
  Object.fromEntries(Object.entries(fields).map(([name, rules]) => [name, cellOf(rules)]));

function cellOf(rules: Rules): Cell | ColumnTree {
  const { type, properties } = (typeof rules === "object" && (rules.anyOf?.[0] ?? rules)) || {};
  return type === "object" ? treeOf(properties) : (cells.get(type) ?? "json");
}

const { properties } = z.toJSONSchema(ProductPut, { io: "input", unrepresentable: "any" });

/** The library writes these columns itself, so an import passes over them. */
export const writtenByUs: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

/** The file of refused rows ends with these columns, so an import passes over them. */
export const refusedColumns = ["refused_column", "refused_reason"] as const;

/** Tells whether an import passes over a column. */
export const isPassedOver = (name: string): boolean =>
  writtenByUs.has(name) || refusedColumns.some((each) => each === name);

/** An export of products has these columns, and an import reads them. */
export const productColumns = columnsOf({
  ...treeOf(properties),
  created_at: "text",
  updated_at: "text",
});
