import type { FeedFormat, FeedSource } from "./feed-source.ts";

/**
 * Writes a line for each product, with the fields that `vitrine/import` reads, and with `id`,
 * `category_ids`, `available`, `created_at` and `url` for who sells, shows or searches it. How many
 * pieces there are is nobody's business: the line tells only where there are none.
 */
export const jsonLines = ({ categoriesOf, urlOf }: FeedSource): FeedFormat => ({
  head: "",
  end: "",
  item(product) {
    const { id, slug, name, description, images, price, currency, available, group } = product;
    const line = {
      id,
      slug,
      ...(group && { group: group.id }),
      ...(product.options && { options: product.options }),
      name,
      description,
      images,
      price,
      compare_at_price: product.compare_at_price,
      ...(product.recurring && { recurring: product.recurring }),
      currency,
      categories: categoriesOf(product).map((category) => ({
        slug: category.slug,
        name: category.name,
      })),
      category_ids: product.category_ids,
      created_at: product.created_at,
      available,
      stock: available ? null : 0,
      url: urlOf?.(product) ?? null,
    };
    return `${JSON.stringify(line)}\n`;
  },
});
