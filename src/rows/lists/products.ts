import { hasCode } from "../../rules/catalog/groups/product-groups.ts";
import { pageOfSorted } from "../../rules/catalog/own-sort.ts";
import { mostScanned } from "../../rules/catalog/search/product-rank.ts";
import {
  type FoldedProduct,
  isFound,
  readSearch,
} from "../../rules/catalog/search/product-search.ts";
import { type StockCount, stockLevelOf } from "../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnProductQuery } from "../../storage/types.ts";
import { by, has, pageOf } from "../page.ts";

type CountOf = (product_id: string, livemode: boolean) => StockCount | undefined;

/** Selects products for their owner, drafts too, of all that a store has. */
export function selectOwnProducts(
  products: Iterable<FoldedProduct>,
  countOf: CountOf,
  query: OwnProductQuery,
): readonly ProductRecord[] {
  const { search, code, group, active, category_id, stock, sorted, after, limit } = query;
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
      (stock === undefined || stockLevelOf(countOf(record.id, stock.livemode)) === stock.level),
  );
  const records = found.map(({ record }) => record);
  if (sorted) return pageOfSorted(records, sorted, limit);
  return pageOf(records, byId, { after: after === null ? null : { id: after }, limit });
}
