import type { ProductFacets } from "../../contract/catalog/facets-schema.ts";
import type { ProductSort } from "../../contract/schemas.ts";
import type { Partition } from "../../rules/records.ts";

/** A search of the store's active products, as a buyer asked for it. */
export interface EngineQuery extends Partition {
  /** What the buyer typed, of 1 to 100 characters. */
  readonly search: string;
  /** The enabled category to search in. Left out, it is all. */
  readonly category_id?: string;
  /** The order that the buyer asked for. Left out, it is your own: the nearest first. */
  readonly sort?: Exclude<ProductSort, "relevance">;
  /** One product of each group is asked for. Left out, all are. */
  readonly group?: "first";
  /** True when the hits of all pages are to be counted. */
  readonly facets?: true;
  /** The `next` of the page before. */
  readonly after?: string;
  /** Skip this many hits, when the client counts pages. */
  readonly offset?: number;
  readonly limit: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What an engine has found. */
export interface EngineAnswer {
  /** The hits in their order. Ids that are no active product of the store are left out. */
  readonly ids: readonly string[];
  /** Your own opaque cursor of the page after, of at most 1,400 bytes; null on the last page. */
  readonly next: string | null;
  /** The words that were searched, where those of the buyer found nothing. */
  readonly corrected_to?: string | null | undefined;
  /** Left out, the answer says that nothing was counted. */
  readonly facets?: ProductFacets | null | undefined;
}

/** The host's own search engine, which finds products of our tables. */
export interface CatalogSearch {
  /**
   * Answers `GET /products?search=` and `GET /suggestions`. Where it fails or is late, the
   * built-in search answers.
   */
  search(query: EngineQuery): Promise<EngineAnswer>;
  /** Milliseconds that the engine has to answer. Default 2,000. */
  readonly timeoutMs?: number | undefined;
}
