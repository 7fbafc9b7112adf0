import type { Category, Product } from "../../contract/schemas.ts";
import { parseUrl } from "../../domain/parse-url.ts";

/** How an id of the request led to a product. */
export interface Correlation {
  readonly id: string;
  readonly match: "exact" | "featured";
}

/**
 * Shows a product in the protocol's form. The product has one variant, which is what a buyer
 * buys. Both have the same id, so that each of them leads to the product.
 */
export function showProduct(
  product: Product,
  categories: readonly Category[],
  inputs?: readonly Correlation[],
) {
  const { id, name: title, currency, compare_at_price } = product;
  const price = { amount: product.price, currency };
  const list = compare_at_price === null ? null : { amount: compare_at_price, currency };
  const description = { plain: product.description ?? "" };
  const media = product.images.filter(parseUrl).map((url) => ({ type: "image", url }));

  return {
    id,
    handle: product.slug,
    title,
    description,
    categories: categories
      .filter((category) => product.category_ids.includes(category.id))
      .map(({ slug: value }) => ({ value, taxonomy: "merchant" })),
    price_range: { min: price, max: price },
    ...(list && { list_price_range: { min: list, max: list } }),
    media,
    variants: [
      {
        id,
        title,
        description,
        price,
        ...(list && { list_price: list }),
        availability: {
          available: product.available,
          status: product.available ? "in_stock" : "out_of_stock",
        },
        media,
        ...(inputs && { inputs }),
      },
    ],
  };
}
