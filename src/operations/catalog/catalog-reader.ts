import type { ProductFacets } from "../../contract/catalog/facets-schema.ts";
import type { Category } from "../../contract/schemas.ts";
import { fold } from "../../domain/text/fold.ts";
import { renderCategory } from "../../rules/catalog/render.ts";
import type { Cart, CartProduct } from "../../rules/checkout/checkout-records.ts";
import type { Partition } from "../../rules/records.ts";
import type { CatalogStore, ProductQuery, ProductRow, Storage } from "../../storage/types.ts";

/** Selects a page of a product list. */
export interface CatalogQuery extends ProductQuery {
  /** True when `after` is a cursor of the host's engine. */
  readonly by_engine?: true;
}

/** A page of which the host says itself where the next one begins. */
export interface HostPage {
  readonly outcome: "listed";
  readonly rows: readonly ProductRow[];
  /** The host's cursor of the next page; null on the last page. */
  readonly next: string | null;
  readonly corrected_to?: string;
  readonly facets?: ProductFacets | null;
}

type OwnPage = Awaited<ReturnType<CatalogStore["listProducts"]>> & { readonly next?: undefined };

/** The reads of a catalog by operations: from the library's own tables, or from the host's. */
export interface CatalogReader {
  /**
   * True when the store's `catalog_version` changes with every change of the
   * catalog. A request can then be answered with 304 before any query, and results
   * can be cached under the version.
   */
  readonly versioned: boolean;
  /** True when an engine of the host's answers searches. Its answers have no version. */
  readonly searched: boolean;
  listProducts(query: CatalogQuery): Promise<OwnPage | HostPage>;
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
  /**
   * Reads the products of a cart from the host. It is null when our storage reads
   * them with the cart.
   */
  readonly cartProducts:
    | ((partition: Partition, product_ids: readonly string[]) => Promise<readonly CartProduct[]>)
    | null;
}

/** Reads our own product tables. */
export const ownCatalog = ({ catalog, checkout }: Storage): CatalogReader => ({
  versioned: true,
  searched: false,
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
