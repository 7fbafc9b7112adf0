import type { ProductOption } from "../../../contract/schemas.ts";

interface WithOptions {
  readonly options?: readonly ProductOption[] | undefined;
}

/** Gives the options as a field of their own. What has none has no such field. */
export const optionsField = ({ options }: WithOptions): { options?: ProductOption[] } =>
  options && options.length > 0 ? { options: options.map((option) => ({ ...option })) } : {};

/** Names a combination of options. The products of a group have the same names in one order. */
export const combinationOf = ({ options }: WithOptions): string =>
  JSON.stringify((options ?? []).map(({ value }) => value));

/** Names the options of a product, in their order. */
export const optionNames = ({ options }: WithOptions): readonly string[] =>
  (options ?? []).map(({ name }) => name);

/** Gathers the values of each option that some products have, in the order of the products. */
export function optionValues(
  products: readonly WithOptions[],
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, Set<string>>();
  for (const { name, value } of products.flatMap(({ options }) => options ?? []))
    values.set(name, (values.get(name) ?? new Set()).add(value));
  return new Map([...values].map(([name, all]) => [name, [...all]]));
}

interface ChosenLine extends WithOptions {
  readonly variables: Readonly<Record<string, string>>;
}

/** Lists what a line was bought as: its options, then what the buyer filled in. */
export const choicesOf = (
  line: ChosenLine,
): readonly (readonly [name: string, value: string])[] => [
  ...(line.options ?? []).map(({ name, value }) => [name, value] as const),
  ...Object.entries(line.variables),
];

/** Lists the values alone, without empty ones. */
export const chosenValues = (line: ChosenLine): readonly string[] =>
  choicesOf(line).flatMap(([, value]) => value || []);
