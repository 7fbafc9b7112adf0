import { z } from "zod";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { onHandOf } from "../../rules/catalog/stock.ts";
import type { OwnerContext } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";

const StockQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  product_ids: z.array(foreignId).max(1_000).readonly(),
});
/** Names at most 1,000 products of a store, and the mode whose sales are counted. */
export interface StockQuery extends z.input<typeof StockQuery> {}

/** What is left of a product whose stock is counted. */
export interface StockLeft {
  readonly product_id: string;
  /**
   * The number of pieces that may be sold now. Below zero when you have set a stock that is smaller
   * than what is held.
   */
  readonly on_hand: number;
  /**
   * The number of pieces that open orders and checkout sessions hold. They are no part of
   * `on_hand`.
   */
  readonly held: number;
}

export async function readStock(
  ctx: OwnerContext,
  input: StockQuery,
): Promise<readonly StockLeft[]> {
  const { product_ids, ...partition } = check(StockQuery, input);
  const counts = await ctx.storage.lists.countStock(partition, product_ids);
  if (counts.length === 0) await requireKnownStore(ctx, partition.store_id);

  const countById = new Map(counts.map((count) => [count.product_id, count]));
  return product_ids.flatMap((product_id) => {
    const count = countById.get(product_id);
    const on_hand = onHandOf(count);
    return count === undefined || on_hand === null
      ? []
      : [{ product_id, on_hand, held: count.held }];
  });
}
