import type { ProductSort } from "../../contract/schemas.ts";
import { sortKeyOf } from "./product-sort.ts";
import { compareIn, type PlacedProduct, type PlacedRow, type ProductView } from "./product-view.ts";
import { mostScanned, rankStep, ranks } from "./search/product-rank.ts";
import {
  type FoldedProduct,
  isFound,
  type ProductSearch,
  readSearch,
} from "./search/product-search.ts";
import { relevancePlaces } from "./search/relevance.ts";

/** Selects a page of the active products of a store. */
export interface ProductPage {
  /** The category that is shown. Null shows all. */
  readonly category_id: string | null;
  /** Folded. */
  readonly search?: string;
  /** With `first`, only the product that stands for its group is listed of each. */
  readonly group?: "first";
  /** Left out, it is `position`. */
  readonly sort?: ProductSort;
  /** The row before the first one. */
  readonly after?: PlacedRow;
  readonly offset?: number;
  /** The page has one row more, which tells whether there is a next page. */
  readonly limit: number;
}

/** Lists a page of the products of a store, for a storage that holds all of them in memory. */
export function pageOfProducts<Product extends FoldedProduct>(
  view: ProductView<Product>,
  page: ProductPage,
): readonly PlacedProduct<Product>[] {
  const { search, sort = "position", group, category_id } = page;
  const words = search === undefined ? null : readSearch(search);
  const all = view.inOrder(sort, group);
  const listed =
    category_id === null
      ? all
      : all.filter(({ product }) => product.record.category_ids.includes(category_id));

  if (words && sort === "relevance") return pageOfHits({ words, all, listed }, page);
  // An index finds no short words: of these only the first products of the list are read.
  const reached = words && !words.ranked ? listed.slice(0, mostScanned) : listed;
  return pageInOrder(reached, words, page);
}

/** Reads products that are in order, from the first of the page to its last. */
function pageInOrder<Product extends FoldedProduct>(
  listed: readonly PlacedProduct<Product>[],
  words: ProductSearch | null,
  { sort = "position", after, offset = 0, limit }: ProductPage,
): readonly PlacedProduct<Product>[] {
  const key = sortKeyOf(sort);
  const rows: PlacedProduct<Product>[] = [];
  const first =
    after === undefined ? 0 : firstBehind(listed, (row) => compareIn(key, row, after) > 0);
  // Without a search each product is a row, so that those before the page need no look.
  let skipped = words ? 0 : offset;

  for (let at = first + skipped; at < listed.length && rows.length <= limit; at += 1) {
    const row = listed[at];
    if (!row || (words && !isFound(words, row.product.folded))) continue;
    if (skipped < offset) skipped += 1;
    else rows.push(row);
  }
  return rows;
}

/** Finds the first of sorted rows that is behind a place. */
function firstBehind<Row>(rows: readonly Row[], isBehind: (row: Row) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row && isBehind(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Hits<Product> {
  readonly words: ProductSearch;
  /** The products of the store, whose hits decide how many are ranked. */
  readonly all: readonly PlacedProduct<Product>[];
  /** Those of the category, in the order of the list. */
  readonly listed: readonly PlacedProduct<Product>[];
}

/** Lists the hits of a search by their rank. */
function pageOfHits<Product extends FoldedProduct>(
  { words, all, listed }: Hits<Product>,
  { after, offset = 0, limit }: ProductPage,
): readonly PlacedProduct<Product>[] {
  const key = sortKeyOf("relevance");
  const found = all.filter(({ product }) => isFound(words, product.folded));
  const placeOf = relevancePlaces(
    words,
    found.map(({ product }) => product),
  );
  const ofCategory = listed === all ? found : found.filter(isAmong(listed));
  const rows = ofCategory.map(({ id, product }) => ({ id, position: placeOf(product), product }));

  const reached = words.ranked ? rows : withinReach(rows, listed);
  return reached
    .filter((row) => after === undefined || compareIn(key, row, after) > 0)
    .sort((one, other) => compareIn(key, one, other))
    .slice(offset, offset + limit + 1);
}

/**
 * Keeps the hits that a search of short words may find: those among the first `mostScanned`
 * products of the list, and the names that equal the search or begin with it.
 */
function withinReach<Product extends FoldedProduct>(
  rows: readonly PlacedProduct<Product>[],
  listed: readonly PlacedProduct<Product>[],
): readonly PlacedProduct<Product>[] {
  const isFirst = isAmong(listed.slice(0, mostScanned));
  return rows.filter((row) => isFirst(row) || row.position < ranks.word_begins * rankStep);
}

type Named = Pick<PlacedRow, "id">;

function isAmong(rows: readonly Named[]): (row: Named) => boolean {
  const ids = new Set(rows.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}
