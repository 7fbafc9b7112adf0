import { hasCode } from "../../rules/catalog/groups/product-groups.ts";
import { compareOwn, type OwnOrder, ownPlaceOf } from "../../rules/catalog/own-sort.ts";
import { mostScanned } from "../../rules/catalog/search/product-rank.ts";
import {
  type FoldedProduct,
  isFound,
  readSearch,
} from "../../rules/catalog/search/product-search.ts";
import { type StockCount, stockLevelOf } from "../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnProductQuery } from "../../storage/types.ts";
import { afterId, by, has, pageOf } from "../page.ts";

type CountOf = (product_id: string, livemode: boolean) => StockCount | undefined;

/** Selects products for their owner, drafts too, of all that a store has. */
export function selectOwnProducts(
  products: Iterable<FoldedProduct>,
  countOf: CountOf,
  query: OwnProductQuery,
): readonly ProductRecord[] {
  const { search, code, group, active, category_id, price, stock, sorted, after, limit } = query;
  const { min = 0, max = Number.POSITIVE_INFINITY } = price ?? {};
  const words = search === undefined ? null : readSearch(search);
  const byId = by("+id");
  const all = [...products];
  const isShort = words !== null && !words.ranked;
  const looked = isShort
    ? all.sort((one, other) => byId(one.record, other.record)).slice(0, mostScanned)
    : all;
  const found = looked.filter(
    ({ record, folded }) =>
      (words === null || isFound(words, folded) || hasCode(record, { search, code })) &&
      has(record, { group, active }) &&
      (category_id === undefined || record.category_ids.includes(category_id)) &&
      record.price >= min &&
      record.price <= max &&
      (stock === undefined || stockLevelOf(countOf(record.id, stock.livemode)) === stock.level),
  );
  const records = found.map(({ record }) => record);
  return sorted
    ? pageOfSorted(records, sorted, limit)
    : pageOf(records, byId, { after: afterId(after), limit });
}

/** Gives a page of a store's products in an order. */
function pageOfSorted(
  records: readonly ProductRecord[],
  { by: sort, after }: OwnOrder,
  limit: number,
): readonly ProductRecord[] {
  const placed = records.map((record) => ({
    id: record.id,
    place: ownPlaceOf(record, sort),
    record,
  }));
  return pageOf(placed, compareOwn(sort), { after, limit }).map(({ record }) => record);
}
