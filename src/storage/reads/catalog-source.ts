import type { Category, Product, ProductSort } from "../../contract/schemas.ts";
import type { Partition } from "../../rules/records.ts";

/**
 * A product as the host keeps it. It has every public field, `slug` and `position`
 * included. Times are ISO 8601 in UTC with milliseconds, as `toISOString()` writes
 * them.
 */
export type SourceProduct = Product;

/** Selects the host's products of a list. */
export interface SourceListQuery extends Partition {
  readonly category?: string;
  readonly category_id?: string;
  /**
   * What the buyer typed. Find each of its words anywhere in name or slug, whatever
   * case and accents, and take wildcards as plain text.
   */
  readonly search?: string;
  /** The order that the buyer asked for. Left out, it is your own: with `search`, by relevance. */
  readonly sort?: Exclude<ProductSort, "relevance">;
  /**
   * One product of each group is asked for, with `group.price_from`, `price_to` and `available`.
   * Left out, all are.
   */
  readonly group?: "first";
  /** The `next` of the page before. */
  readonly after?: string;
  /** Skip this many products, when the client counts pages. */
  readonly offset?: number;
  readonly limit: number;
}

/** A product of the host's catalog, with its stock. */
export interface SourceCartProduct {
  readonly product: SourceProduct;
  /** The number of pieces that may be sold now. Null means that they are not counted. */
  readonly on_hand: number | null;
}

/** Pieces that the host keeps for an order. */
export interface SourceReservation extends Partition {
  readonly order_id: string;
  readonly lines: readonly { readonly product_id: string; readonly quantity: number }[];
  /**
   * The end of the reservation, in ISO 8601 in UTC. Keep the pieces for the order until
   * you hear of it again, and no longer than this: a repeat of `reserve` moves the time,
   * and one that answers false or throws leaves what was kept before.
   */
  readonly expires_at: string;
}

/**
 * Reads the host's own product tables, in place of vitrine's: list, detail,
 * categories, cart and stock. Checkout, coupons, orders, events and webhooks stay
 * in vitrine's storage. Ids are the host's own strings of 1 to 255 characters. A
 * field that is not public is never shown.
 */
export interface CatalogSource {
  /**
   * Lists products. `next` is your own opaque cursor of the page after, and null on
   * the last page. An unknown category gives an empty list.
   */
  list(
    query: SourceListQuery,
  ): Promise<{ readonly products: readonly SourceProduct[]; readonly next: string | null }>;
  /** Finds by id, else by slug. Gives null for a draft. */
  find(query: Partition & { readonly id_or_slug: string }): Promise<SourceProduct | null>;
  /** Gives the enabled categories in order, at most 1,000. */
  categories(query: { readonly store_id: string }): Promise<readonly Category[]>;
  /**
   * Gives the products that may be sold. One that is missing or not `available`
   * fails the request with `product_unavailable`.
   */
  cart(
    query: Partition & { readonly product_ids: readonly string[] },
  ): Promise<readonly SourceCartProduct[]>;
  /**
   * Keeps pieces for an order, when the host counts stock itself. Gives false when
   * there are not enough, and true again for an order that is confirmed. `reserve`,
   * `confirm` and `release` are each idempotent by `order_id`. When `confirm` or
   * `release` fails after the order was decided, `runMaintenance()` calls it again.
   */
  readonly reserve?: ((reservation: SourceReservation) => Promise<boolean>) | undefined;
  /** Sells the pieces. It may come without a reservation, because the money is there. */
  readonly confirm?:
    | ((reservation: Omit<SourceReservation, "expires_at">) => Promise<void>)
    | undefined;
  /** Gives back the pieces. */
  readonly release?:
    | ((reservation: Omit<SourceReservation, "expires_at">) => Promise<void>)
    | undefined;
}
