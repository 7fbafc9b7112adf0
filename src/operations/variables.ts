import type { ProductVariable } from "../contract/schemas.ts";
import { compilePattern, matchesPattern } from "../domain/pattern.ts";
import { joinParam, missing, refuse } from "../input/check.ts";
import type { ProductRecord } from "../rules/records.ts";

const defaultMaxLength = 500;

/** Reads, as text, what the buyer typed into the inputs that a product declares. */
export function readVariables(
  given: Readonly<Record<string, unknown>> | undefined,
  product: ProductRecord,
  line: number,
): Record<string, string> {
  const paramOf = (key: string): string => joinParam(`items[${line}].variables`, key);

  const declared = new Set(product.variables.map((variable) => variable.key));
  for (const key of Object.keys(given ?? {}))
    if (!declared.has(key)) refuse(paramOf(key), "is not an input of this product");

  const values: [string, string][] = [];
  for (const variable of product.variables) {
    const { key } = variable;
    const value = given !== undefined && Object.hasOwn(given, key) ? given[key] : undefined;
    if (value !== undefined && value !== null && value !== "")
      values.push([key, readVariable(variable, value, paramOf(key))]);
    else if (variable.required) throw missing(paramOf(key));
  }
  return Object.fromEntries(values);
}

function readVariable(variable: ProductVariable, value: unknown, param: string): string {
  const text = variable.type === "number" && typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return refuse(param, "must be text");

  const maxLength = variable.max_length ?? defaultMaxLength;
  if (text.length > maxLength) refuse(param, `must be at most ${maxLength} characters`);
  if (variable.type === "number" && !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text))
    refuse(param, "must be a number");
  if (variable.type === "select" && !variable.options.some((option) => option.value === text))
    refuse(param, "is not one of the options");
  if (variable.pattern !== null && !fitsPattern(variable.pattern, text))
    refuse(param, "does not have the form that is asked for");
  return text;
}

const maxCompiled = 1_000;
const compiled = new Map<string, ReturnType<typeof compilePattern>>();

function fitsPattern(source: string, text: string): boolean {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    pattern = compilePattern(source);
    compiled.set(source, pattern);
  }
  return pattern !== null && matchesPattern(pattern, text);
}
