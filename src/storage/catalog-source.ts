import type { Category, Product } from "../contract/schemas.ts";
import type { Partition } from "../rules/records.ts";

/** A product as the host keeps it: the public fields (CONTRACT 4), `slug` and `position` included, times as ISO 8601 UTC. */
export type SourceProduct = Product;

export interface SourceListQuery extends Partition {
  readonly category?: string;
  readonly category_id?: string;
  /** As the buyer typed it: case- and accent-insensitive substring of name and slug, wildcards are text. */
  readonly search?: string;
  /** The `next` of the page before. */
  readonly after?: string;
  /** Rows to skip, when the client counts pages. */
  readonly offset?: number;
  readonly limit: number;
}

export interface SourceCartProduct {
  readonly product: SourceProduct;
  /** Pieces that may be sold now; null = not counted. */
  readonly on_hand: number | null;
}

export interface SourceReservation extends Partition {
  readonly order_id: string;
  readonly lines: readonly { readonly product_id: string; readonly quantity: number }[];
  /** ISO 8601 UTC: until when the pieces are kept for the order unless you hear of it again. */
  readonly expires_at: string;
}

/**
 * The host's own product tables in place of ours: list, detail, categories, cart and stock. Checkout, coupons, orders, events and webhooks stay
 * ours. Ids are the host's own strings (1..255). Whatever is not a public field is never shown.
 */
export interface CatalogSource {
  /** `next` is an opaque cursor of yours for the page after, null on the last one. An unknown category is an empty list. */
  list(
    query: SourceListQuery,
  ): Promise<{ readonly products: readonly SourceProduct[]; readonly next: string | null }>;
  /** By id, else by slug; null for drafts. */
  find(query: Partition & { readonly id_or_slug: string }): Promise<SourceProduct | null>;
  /** Enabled ones, at most 1,000, in order. */
  categories(query: { readonly store_id: string }): Promise<readonly Category[]>;
  /** Those that may be sold; what is missing or not `available` is `product_unavailable`. */
  cart(
    query: Partition & { readonly product_ids: readonly string[] },
  ): Promise<readonly SourceCartProduct[]>;
  /**
   * Stock of your own. The three are idempotent by `order_id`; a failure after the order was decided is mended by `runMaintenance()`. `reserve` gives
   * false when there is not enough, true again for an order that is confirmed. `confirm` may come without a reservation: the money is there.
   */
  readonly reserve?: (reservation: SourceReservation) => Promise<boolean>;
  readonly confirm?: (reservation: Omit<SourceReservation, "expires_at">) => Promise<void>;
  readonly release?: (reservation: Omit<SourceReservation, "expires_at">) => Promise<void>;
}
