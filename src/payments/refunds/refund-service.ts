import { fail } from "../../contract/errors.ts";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { Page } from "../../contract/routes.ts";
import { check, checkId } from "../../input/check.ts";
import { pageOf } from "../../owner/page.ts";
import { type Refund, renderRefund } from "../../rules/refunds/render-refund.ts";
import type { PaymentContext } from "../context.ts";
import { PartitionInput, RefundListInput } from "../inputs.ts";

/**
 * Reads refunds for the host's own code. `orders.refund` makes one. Each call names
 * the store and mode, and throws `resource_not_found` for a refund of another store
 * or mode.
 */
export interface RefundService {
  /**
   * Reads a refund. Throws `resource_not_found` for a refund of another store or
   * mode.
   */
  retrieve(refund_id: string, partition: PartitionInput): Promise<Refund>;

  /**
   * Lists refunds, the newest first: those of one order, or of the whole store and
   * mode.
   */
  list(input: RefundListInput): Promise<Page<Refund>>;
}

export function createRefundService({ storage }: PaymentContext): RefundService {
  return {
    async retrieve(refund_id, where) {
      const partition = check(PartitionInput, where);
      const id = checkId("refund_id", refund_id);

      const found = await storage.orders.find("refund", partition, id);
      return found ? renderRefund(found) : fail("resource_not_found");
    },

    async list(input) {
      const checked = check(RefundListInput, input);
      const { limit, starting_after, order_id, ...partition } = checked;
      const size = limit ?? defaultPageSize;

      const found = await storage.orders.listRefunds({
        ...partition,
        limit: size,
        ...(order_id == null ? {} : { order_id }),
        ...(starting_after == null ? {} : { after: starting_after }),
      });
      return pageOf(found, size, renderRefund);
    },
  };
}
