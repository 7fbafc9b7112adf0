import type { OrderStore } from "../../storage/order-store.ts";
import { isIn, type MemoryState } from "../state.ts";

type Subscriptions = Pick<OrderStore, "listSubscriptions">;

export function memorySubscriptions(state: MemoryState): Subscriptions {
  const { subscriptions } = state.orders;

  return {
    async listSubscriptions({ customer_id, status, after, limit, ...partition }) {
      const matching = [...subscriptions.values()].filter(
        (subscription) =>
          isIn(partition, subscription) &&
          (customer_id === undefined || subscription.customer.id === customer_id) &&
          (status === undefined || subscription.status === status) &&
          (after === undefined || subscription.id < after),
      );
      return matching.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1);
    },
  };
}
