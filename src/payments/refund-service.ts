import { fail } from "../contract/errors.ts";
import { check, checkId } from "../input/check.ts";
import { type Refund, renderRefund } from "../rules/render-refund.ts";
import type { PaymentContext } from "./context.ts";
import { PartitionInput, RefundListInput } from "./inputs.ts";

/**
 * Refunds, as the host's own code reads them. `orders.refund` makes one. Each call
 * names the store and mode, and throws `resource_not_found` for a refund of another
 * store or mode.
 */
export interface RefundService {
  /** Throws `resource_not_found` for a refund of another store or mode. */
  retrieve(refund_id: string, partition: PartitionInput): Promise<Refund>;

  /** Newest first: those of one order, or of the whole store and mode. */
  list(input: RefundListInput): Promise<{
    readonly data: readonly Refund[];
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  }>;
}

export function createRefundService({ storage }: PaymentContext): RefundService {
  return {
    async retrieve(refund_id, where) {
      const partition = check(PartitionInput, where);
      const id = checkId("refund_id", refund_id);

      const found = await storage.orders.findRefund(partition, id);
      return found ? renderRefund(found) : fail("resource_not_found");
    },

    async list(input) {
      const checked = check(RefundListInput, input);
      const { limit, starting_after, order_id, ...partition } = checked;
      const pageSize = limit ?? 20;

      const found = await storage.orders.listRefunds({
        ...partition,
        limit: pageSize,
        ...(order_id == null ? {} : { order_id }),
        ...(starting_after == null ? {} : { after: starting_after }),
      });

      // One row beyond the page tells that there is a next page.
      const page = found.slice(0, pageSize);
      const has_more = found.length > pageSize;
      const next_cursor = has_more ? (page.at(-1)?.id ?? null) : null;
      return { data: page.map(renderRefund), has_more, next_cursor };
    },
  };
}
