import type { ProductSort } from "../../contract/schemas.ts";
import { comparePositions } from "../../domain/sort.ts";
import { firstOfGroups } from "./groups/product-groups.ts";
import { mostScanned, rankStep, ranks } from "./product-rank.ts";
import { type FoldedProduct, isFound, readSearch } from "./product-search.ts";
import { sortKeyOf } from "./product-sort.ts";
import { relevancePlaces } from "./relevance.ts";

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

/** The place of a product in a list. */
export interface PlacedRow {
  /** The number that the list is sorted by. */
  readonly position: number;
  readonly id: string;
}

/** Lists a page of the products of a store, for a storage that holds all of them in memory. */
export function pageOfProducts<Product extends FoldedProduct>(
  products: Iterable<Product>,
  page: ProductPage,
): readonly (PlacedRow & { readonly product: Product })[] {
  const { search, sort = "position", after, offset = 0, limit } = page;
  const words = search === undefined ? null : readSearch(search);
  const all = [...products].filter(({ record }) => record.active);
  const active = page.group === "first" ? withoutOthers(all) : all;
  const found = words ? active.filter(({ folded }) => isFound(words, folded)) : active;
  const isShown = ({ record }: Product): boolean =>
    page.category_id === null || record.category_ids.includes(page.category_id);

  const compare = compareIn(sort);
  const placeOf = words && sort === "relevance" ? relevancePlaces(words, found) : plainPlace(sort);
  const rows = found.filter(isShown).map((product) => rowOf(product, placeOf(product)));
  const reached = words && !words.ranked ? withinReach(rows, active.filter(isShown), sort) : rows;
  return reached
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit + 1);
}

/** Leaves out the products that do not stand for their group. */
function withoutOthers<Product extends FoldedProduct>(products: readonly Product[]) {
  const firsts = firstOfGroups(
    products.flatMap(({ record }) => (record.group ? { ...record, group_id: record.group } : [])),
  );
  return products.filter(({ record }) => !record.group || firsts.has(record.id));
}

/**
 * Keeps the hits that a search of short words may find: those among the first `mostScanned`
 * products of the list and, by relevance, the names that equal the search or begin with it.
 */
function withinReach<Product extends FoldedProduct>(
  rows: readonly (PlacedRow & { readonly product: Product })[],
  listed: readonly Product[],
  sort: ProductSort,
) {
  const place = plainPlace(sort);
  const first = listed
    .map((product) => rowOf(product, place(product)))
    .sort(compareIn(sort))
    .slice(0, mostScanned);
  const ids = new Set(first.map(({ id }) => id));
  const isPromoted = ({ position }: PlacedRow): boolean =>
    sort === "relevance" && position < ranks.word_begins * rankStep;
  return rows.filter((row) => ids.has(row.id) || isPromoted(row));
}

const rowOf = <Product extends FoldedProduct>(product: Product, position: number) => ({
  id: product.record.id,
  position,
  product,
});

function plainPlace(sort: ProductSort): (product: FoldedProduct) => number {
  const { field } = sortKeyOf(sort);
  return ({ record }) => record[field];
}

const compareIn = (sort: ProductSort): typeof comparePositions =>
  sortKeyOf(sort).descending ? (one, other) => comparePositions(other, one) : comparePositions;
