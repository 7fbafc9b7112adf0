import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { type Refund, renderRefund } from "../../rules/refunds/render-refund.ts";
import type { OwnerContext } from "../context.ts";
import { ageOrder, listFields, present, readIdListing } from "../listing.ts";

const OwnerRefundListInput = z.strictObject({
  ...listFields,
  status: z.enum(["pending", "succeeded", "failed"]).nullish(),
  order_id: foreignId.nullish(),
});
/** Selects the refunds of a list. A filter that is left out, or null, lists all. */
export interface OwnerRefundListInput extends z.input<typeof OwnerRefundListInput> {}

/** Reads the refunds of a store's orders. */
export interface OwnerRefunds {
  /**
   * Lists refunds by id, the newest first (`sort: "oldest"` reverses the list): all of a store and
   * mode, or those of a status or an order. Throws `invalid_cursor` when `starting_after` is not a
   * refund of the list.
   */
  list(input: OwnerRefundListInput): Promise<Page<Refund>>;
}

export const createRefunds = (ctx: OwnerContext): OwnerRefunds => ({
  async list(input) {
    const query = check(OwnerRefundListInput, input);
    const { store_id, livemode, status: state, order_id } = query;
    const { orders } = ctx.storage;
    const partition = { store_id, livemode };

    return readIdListing(ctx, query, {
      find: (id) => orders.find("refund", partition, id),
      read: (after, limit) =>
        orders.listRefunds({
          ...partition,
          ...ageOrder(query),
          ...present({ state, order_id, after }),
          limit,
        }),
      render: renderRefund,
    });
  },
});
