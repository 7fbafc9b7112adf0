import { z } from "zod";
import { fail } from "../contract/errors.ts";
import { Category, Product } from "../contract/schemas.ts";
import { fold } from "../domain/fold.ts";
import type { Cart } from "../rules/checkout-records.ts";
import type { CartProduct, Partition } from "../rules/records.ts";
import { renderCategory } from "../rules/render.ts";
import type { CatalogSource, SourceCartProduct } from "../storage/catalog-source.ts";
import type { CatalogStore, ProductQuery, Storage } from "../storage/types.ts";

/** What the API reads of a catalog: ours, or the host's own tables. */
export interface CatalogReader {
  /** The store's `catalog_version` tells every change: 304 before any query, and answers may be kept. */
  readonly versioned: boolean;
  listProducts(query: ProductQuery): ReturnType<CatalogStore["listProducts"]>;
  findProduct(
    partition: Partition,
    id_or_slug: string,
    catalog_version: number,
  ): Promise<{ document: string } | null>;
  listCategories(store_id: string, catalog_version: number): Promise<readonly Category[]>;
  loadCart(
    partition: Partition,
    product_ids: readonly string[],
    coupon_code: string | null,
  ): Promise<Cart>;
  /** The products of a cart that was read without them; null when it came with them. */
  readonly cartProducts:
    | ((partition: Partition, product_ids: readonly string[]) => Promise<readonly CartProduct[]>)
    | null;
}

export const ownCatalog = ({ catalog, checkout }: Storage): CatalogReader => ({
  versioned: true,
  listProducts: (query) =>
    catalog.listProducts(
      query.search === undefined ? query : { ...query, search: fold(query.search) },
    ),
  findProduct: (partition, id_or_slug, version) =>
    catalog.findProduct(partition, id_or_slug, version),
  listCategories: async (store_id, version) =>
    (await catalog.listCategories(store_id, version)).map(renderCategory),
  loadCart: (partition, product_ids, coupon_code) =>
    checkout.loadCart(partition, product_ids, coupon_code),
  cartProducts: null,
});

export function sourceCatalog(source: CatalogSource, { checkout }: Storage): CatalogReader {
  const cartProducts = async (
    partition: Partition,
    product_ids: readonly string[],
  ): Promise<readonly CartProduct[]> => {
    const given = await asked(source.cart({ ...partition, product_ids }));
    return given
      .filter(({ product }) => product_ids.includes(product.id))
      .map((line) => cartProduct(partition.store_id, line));
  };
  return {
    versioned: false,
    async listProducts({ after, category_slug, catalog_version: _, ...query }) {
      const { products, next } = await asked(
        source.list({
          ...query,
          ...(category_slug === undefined ? {} : { category: category_slug }),
          ...(after === undefined ? {} : { after: after.id }),
        }),
      );
      const rows = products.slice(0, query.limit).map((product) => ({
        id: product.id,
        position: 0,
        document: JSON.stringify(shown(PublicProduct, product)),
      }));
      const last = rows.at(-1);
      if (next === null || !last) return { outcome: "listed", rows };
      // A page is recognised as not the last by the row after it; its cursor is the host's.
      return { outcome: "listed", rows: [...rows.slice(0, -1), { ...last, id: next }, last] };
    },
    async findProduct(partition, id_or_slug) {
      const product = await asked(source.find({ ...partition, id_or_slug }));
      return product && { document: JSON.stringify(shown(PublicProduct, product)) };
    },
    listCategories: async (store_id) =>
      (await asked(source.categories({ store_id })))
        .slice(0, 1_000)
        .map((category) => shown(PublicCategory, category)),
    async loadCart(partition, product_ids, coupon_code) {
      const { coupon } = await checkout.loadCart(partition, [], coupon_code);
      return { coupon, products: await cartProducts(partition, product_ids) };
    },
    cartProducts,
  };
}

// The allow-list of what is shown: fields that are no part of the contract fall away.
const PublicProduct = z.object({ ...Product.shape, id: z.string().min(1).max(255) });
const PublicCategory = z.object({ ...Category.shape, id: z.string().min(1).max(255) });

/** The host's database is storage too: when it cannot answer, the caller may try again. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    return fail("service_unavailable", { retry_after: 1, cause });
  }
}

function shown<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `The catalog option gave a record whose ${issue?.path.join(".") ?? ""} is wrong: ${issue?.message}`,
  );
}

function cartProduct(store_id: string, { product, on_hand }: SourceCartProduct): CartProduct {
  const { available, created_at, updated_at, ...rest } = shown(PublicProduct, product);
  return {
    ...rest,
    store_id,
    active: true,
    // Sold out is told by the count; anything else that cannot be sold is unavailable.
    blocked: !available && on_hand !== 0,
    stock: null,
    position: 0,
    on_hand,
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  };
}
