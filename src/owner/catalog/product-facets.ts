import { fold } from "../../domain/text/fold.ts";
import { check } from "../../input/check.ts";
import { maxOwnFacetHits, type OwnerFacets, ownFacets } from "../../rules/catalog/own-facets.ts";
import { stockLevelOf } from "../../rules/catalog/stock.ts";
import type { OwnerContext } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { present } from "../listing.ts";
import { type OwnerFacetQuery, OwnerProductQuery } from "./product-input.ts";

const FacetQuery = OwnerProductQuery.omit({ limit: true, starting_after: true, sort: true });

/** Counts the products that the search, the group and `active` leave, by each other filter. */
export async function readFacets(
  ctx: OwnerContext,
  store_id: string,
  query: OwnerFacetQuery,
): Promise<OwnerFacets | null> {
  const { search, group, active, category_id, stock, livemode, ...prices } = check(
    FacetQuery,
    query,
  );
  const filters = present({ search: search && fold(search), code: search, group, active });
  const page = { ...filters, after: null, limit: maxOwnFacetHits + 1 };
  const records = await ctx.storage.catalog.listProductRecords(store_id, page);
  if (records.length === 0) await requireKnownStore(ctx, store_id);
  if (records.length > maxOwnFacetHits) return null;

  const ids = records.map(({ id }) => id);
  const partition = { store_id, livemode: livemode ?? true };
  const counts = await ctx.storage.lists.countStock(partition, ids);
  const byId = new Map(counts.map((count) => [count.product_id, count]));
  const products = records.map((record) => ({ record, level: stockLevelOf(byId.get(record.id)) }));
  const price = present({ min: prices.min_price, max: prices.max_price });
  return ownFacets(products, present({ category_id, level: stock, price }));
}
