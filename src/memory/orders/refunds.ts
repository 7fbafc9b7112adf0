import { movedRows, placeOfRefund } from "../../rules/owner/moved-money.ts";
import type { OrderStore } from "../../storage/order-store.ts";
import { isIn, type MemoryState } from "../state.ts";

type Refunds = Pick<OrderStore, "listRefunds">;

export function memoryRefunds(state: MemoryState): Refunds {
  const { refunds } = state.orders;

  return {
    async listRefunds({ order_id, state: wanted, after, limit, succeeded, ...partition }) {
      if (succeeded) {
        const own = [...refunds.values()].filter((refund) => isIn(partition, refund));
        const last = succeeded.after;
        const place = { ...succeeded, after: last && ([last.at, last.id] as const) };
        return movedRows(own, place, placeOfRefund).slice(0, limit + 1);
      }

      const matching = [...refunds.values()].filter(
        (refund) =>
          isIn(partition, refund) &&
          (order_id === undefined || refund.order_id === order_id) &&
          (wanted === undefined || refund.state === wanted) &&
          (after === undefined || refund.id < after),
      );
      return matching.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1);
    },
  };
}
