import type { Product, ProductGroup } from "../../../contract/schemas.ts";
import { optionValues } from "./product-options.ts";

// A product's document is stored with the id of its group alone, so that a write of one product
// leaves the documents of the others as they are. What the group adds is put in when it is read.

const mark = '"group":{"id":';

/**
 * Gives the group of a stored document. The mark is in no value, because JSON has a backslash
 * before the quotation marks of a text.
 */
export function groupIn(document: string): string | null {
  if (!document.includes(mark)) return null;
  const { group } = JSON.parse(document) as Product;
  return group?.id ?? null;
}

/** What a list with `group=first` tells of a group. */
export interface GroupCard {
  readonly price_from: number;
  readonly price_to: number;
  readonly available: boolean;
}

/** Makes the card of a group of the documents of its active products. */
export function cardOf(documents: readonly string[]): GroupCard {
  const products = documents.map((document) => JSON.parse(document) as Product);
  const prices = products.map(({ price }) => price);
  return {
    price_from: Math.min(...prices),
    price_to: Math.max(...prices),
    available: products.some(({ available }) => available),
  };
}

/** Adds the card of its group to the document of a product. */
export const withCard = (document: string, card: GroupCard): string =>
  withGroup(document, ({ id }) => ({ id, ...card }));

/** Adds its group, whole, to the document of a product. The members are in the order of a list. */
export function withVariants(document: string, members: readonly string[]): string {
  const products = members.map((member) => JSON.parse(member) as Product);

  return withGroup(document, ({ id }) => ({
    id,
    ...cardOf(members),
    options: [...optionValues(products)].map(([name, values]) => ({ name, values: [...values] })),
    variants: products.map((product) => ({
      id: product.id,
      slug: product.slug,
      options: product.options ?? [],
      price: product.price,
      available: product.available,
    })),
  }));
}

function withGroup(document: string, make: (group: ProductGroup) => ProductGroup): string {
  const product = JSON.parse(document) as Product;
  return JSON.stringify(product.group ? { ...product, group: make(product.group) } : product);
}
