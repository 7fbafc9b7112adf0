import type { Category, Product } from "../../../contract/schemas.ts";
import { parseUrl } from "../../../domain/parse-url.ts";
import {
  choicesOf,
  labelOf,
  productIdOf,
  type Variant,
  variantsOf,
} from "../../shared/variants.ts";
import { type UcpVersion, ucpVersions } from "../versions.ts";
import { selectionOf } from "./option-selection.ts";

/** How an id of the request led to a variant. */
export interface Correlation {
  readonly id: string;
  readonly match: "exact" | "featured";
}

/** A variant that an answer shows. */
export interface ShownVariant extends Variant {
  readonly inputs?: readonly Correlation[];
}

/** The version of the protocol and the store's categories, by which an answer shows products. */
export interface CatalogShowing {
  readonly version: UcpVersion;
  readonly categories: readonly Category[];
}

/**
 * Shows a product in the protocol's form, with all its variants or those that are given. A product
 * without a group has one variant, with its own id, so that each of them leads to the product.
 */
export function showProduct(
  product: Product,
  { version, categories }: CatalogShowing,
  variants: readonly ShownVariant[] = variantsOf(product),
) {
  const { price: own, currency, compare_at_price, group } = product;
  const money = (amount: number) => ({ amount, currency });
  const list = compare_at_price === null ? null : money(compare_at_price);
  const description = { plain: product.description ?? "" };
  const media = product.images.filter(parseUrl).map((url) => ({ type: "image", url }));
  const options = choicesOf(product);

  return {
    id: productIdOf(product),
    handle: product.slug,
    title: product.name,
    description,
    categories: categories
      .filter((category) => product.category_ids.includes(category.id))
      .map(({ slug: value }) => ({ value, taxonomy: "merchant" })),
    price_range: { min: money(group?.price_from ?? own), max: money(group?.price_to ?? own) },
    ...(list && !group && { list_price_range: { min: list, max: list } }),
    media,
    ...(options.length > 0 && {
      options: options.map(({ name, values }) => ({
        name,
        values: values.map((label) => ({ label })),
      })),
    }),
    variants: variants.map((variant) => ({
      id: variant.id,
      handle: variant.slug,
      title: (group && labelOf(variant)) || product.name,
      description,
      price: money(variant.price),
      // The product knows only its own former price and pictures, not those of its group.
      ...(list && variant.id === product.id && { list_price: list }),
      availability: {
        available: variant.available,
        status: variant.available ? "in_stock" : "out_of_stock",
      },
      ...(variant.options.length > 0 && {
        [ucpVersions[version].options]: selectionOf(variant),
      }),
      media: variant.id === product.id ? media : [],
      ...(variant.inputs && { inputs: variant.inputs }),
    })),
  };
}
