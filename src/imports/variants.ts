import { isCleanText, lengthOf } from "../domain/text/plain.ts";
import { maxOptions, maxOptionText, maxVariants } from "../rules/catalog/groups/product-groups.ts";
import { combinationOf, optionNames } from "../rules/catalog/groups/product-options.ts";
import type { ImportedProduct } from "./record.ts";

type Options = NonNullable<ImportedProduct["options"]>;

const isOption = ({ name, value }: Options[number]): boolean =>
  [name, value].every((text) => text.trim() === text && text !== "" && isCleanText(text)) &&
  lengthOf(name) <= maxOptionText.name &&
  lengthOf(value) <= maxOptionText.value;

/**
 * Tells whether variants can stand in one group of a store: all have the same names, and no two the
 * same values. Others become products of their own, as before there were groups.
 */
export function canBeGrouped(variants: readonly Options[]): boolean {
  if (variants.length < 2 || variants.length > maxVariants) return false;
  if (variants.some((options) => options.length === 0 || options.length > maxOptions)) return false;
  if (!variants.every((options) => options.every(isOption))) return false;

  const names = variants.map((options) => optionNames({ options }).join("\n"));
  const combinations = variants.map((options) => combinationOf({ options }));
  const first = variants[0]?.map(({ name }) => name) ?? [];
  return (
    new Set(names).size === 1 &&
    new Set(first).size === first.length &&
    new Set(combinations).size === variants.length
  );
}
