import type { Generated } from "kysely";

/** What facets count of a product. An older version leaves these columns as they are. */
export interface FacetColumns {
  readonly price: number;
  /** A JSON list. */
  readonly category_ids: string;
  /** The bytes of the live document while the product is available: `false` is one more. */
  readonly available_live: number;
  readonly available_test: number;
  /** The `updated_at` of the record that the price and the categories were taken from. */
  readonly facets_at: number;
}

/** The columns as they are stored: null in a row that maintenance has not filled yet. */
export type StoredFacets = {
  -readonly [Field in keyof FacetColumns]: Generated<FacetColumns[Field] | null>;
};
