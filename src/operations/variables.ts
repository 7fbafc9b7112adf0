import type { ProductVariable } from "../contract/schemas.ts";
import { compilePattern, matchesPattern, maxSteps, stepsOf } from "../domain/text/pattern.ts";
import { lengthOf } from "../domain/text/plain.ts";
import { joinParam, missing, refuse } from "../input/check.ts";
import { defaultMaxLength } from "../input/fields.ts";
import type { ProductRecord } from "../rules/records.ts";

/** Counts down the steps that the patterns of one request may take. */
interface PatternBudget {
  steps: number;
}

type Given = Readonly<Record<string, unknown>> | undefined;

/** Reads the variables of each line. The patterns of all of them share one budget. */
export function readAllVariables(
  items: readonly { readonly variables?: Given }[],
  products: readonly ProductRecord[],
): readonly Record<string, string>[] {
  const budget: PatternBudget = { steps: maxSteps };
  return products.map((product, line) =>
    readVariables(items[line]?.variables, product, { line, budget }),
  );
}

interface ReadLine {
  /** The index of the line in `items`. */
  readonly line: number;
  /** Shared by the lines of one request. */
  readonly budget: PatternBudget;
}

/** Reads, as text, what the buyer typed into the inputs that a product declares. */
function readVariables(
  given: Given,
  product: ProductRecord,
  { line, budget }: ReadLine,
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
      values.push([key, readVariable(variable, value, { param: paramOf(key), budget })]);
    else if (variable.required) throw missing(paramOf(key));
  }
  return Object.fromEntries(values);
}

interface ReadValue {
  readonly param: string;
  readonly budget: PatternBudget;
}

function readVariable(
  variable: ProductVariable,
  value: unknown,
  { param, budget }: ReadValue,
): string {
  const text = variable.type === "number" && typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return refuse(param, "must be text");

  const maxLength = variable.max_length ?? defaultMaxLength;
  if (lengthOf(text) > maxLength) refuse(param, `must be at most ${maxLength} characters`);
  if (variable.type === "number" && !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text))
    refuse(param, "must be a number");
  if (variable.type === "select" && !variable.options.some((option) => option.value === text))
    refuse(param, "is not one of the options");
  if (variable.pattern !== null) checkPattern(variable.pattern, text, { param, budget });
  return text;
}

function checkPattern(source: string, text: string, { param, budget }: ReadValue): void {
  const pattern = compiledOf(source);
  if (pattern !== null) budget.steps -= stepsOf(pattern, lengthOf(text));
  if (budget.steps < 0)
    refuse(param, "is too much to check in one request: send fewer lines, or shorter texts");
  if (pattern === null || !matchesPattern(pattern, text))
    refuse(param, "does not have the form that is asked for");
}

const maxCompiled = 1_000;
const compiled = new Map<string, ReturnType<typeof compilePattern>>();

function compiledOf(source: string): ReturnType<typeof compilePattern> {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    pattern = compilePattern(source);
    compiled.set(source, pattern);
  }
  return pattern;
}
