import type { Product } from "../../../contract/schemas.ts";
import { choicesOf, type Variant, variantsOf } from "../../shared/variants.ts";

/** One choice of a buyer: the name of an option, and the label of its value. */
export interface Selected {
  readonly name: string;
  readonly label: string;
}

/** Tells whether a variant has all that is selected. */
export const isSelected = ({ options }: Variant, selected: readonly Selected[]): boolean =>
  selected.every(({ name, label }) =>
    options.some((option) => option.name === name && option.value === label),
  );

export const selectionOf = ({ options }: Variant): readonly Selected[] =>
  options.map(({ name, value }) => ({ name, label: value }));

/**
 * Drops selected options until some variant has all that are left: first those that no preference
 * names, and then the preferences, the last one first.
 */
export function relax(
  variants: readonly Variant[],
  selected: readonly Selected[],
  preferences: readonly string[],
): readonly Selected[] {
  const rank = ({ name }: Selected): number => {
    const place = preferences.indexOf(name);
    return place < 0 ? preferences.length : place;
  };
  const kept = [...selected].sort((one, other) => rank(one) - rank(other));
  while (!variants.some((variant) => isSelected(variant, kept)) && kept.length > 0) kept.pop();
  return selected.filter((one) => kept.includes(one));
}

/** Shows the options of a product, and what each value would find beside the other selections. */
export function showChoices(product: Product, selected: readonly Selected[]) {
  const variants = variantsOf(product);

  return choicesOf(product).map(({ name, values }) => {
    const others = selected.filter((one) => one.name !== name);
    return {
      name,
      values: values.map((label) => {
        const found = variants.filter((each) => isSelected(each, [...others, { name, label }]));
        return {
          label,
          available: found.some(({ available }) => available),
          exists: found.length > 0,
        };
      }),
    };
  });
}
