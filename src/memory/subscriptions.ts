import { emptySnapshot } from "../rules/order-snapshot.ts";
import { decideCancel } from "../rules/subscription-cancel.ts";
import { orderAfterEnd } from "../rules/subscription-record.ts";
import { decideRenewal } from "../rules/subscription-renewal.ts";
import type { OrderStore } from "../storage/order-store.ts";
import { carryOut } from "./order-changes.ts";
import { attemptsElsewhere, loadByOrder } from "./order-snapshot.ts";
import { type MemoryState, rowKey } from "./state.ts";

type Subscriptions = Pick<
  OrderStore,
  "renew" | "cancelSubscription" | "findSubscription" | "listSubscriptions"
>;

export function memorySubscriptions(state: MemoryState): Subscriptions {
  const { by_period, subscriptions } = state.orders;

  return {
    async renew(command) {
      const { subscription_id, period_start } = command;
      const subscription = subscriptions.get(rowKey(command, subscription_id)) ?? null;
      const periodOrder = by_period.get(rowKey(command, `${subscription_id}\n${period_start}`));
      const order_id = periodOrder ?? orderAfterEnd(subscription);
      const loaded = order_id === null ? emptySnapshot : loadByOrder(state, command, order_id);
      const elsewhere = attemptsElsewhere(state, command, loaded.order, command.reference);
      const decision = decideRenewal({ ...loaded, elsewhere, subscription }, command);
      return carryOut(state, command, { ...loaded, subscription }, decision);
    },

    async cancelSubscription(command) {
      const subscription = subscriptions.get(rowKey(command, command.subscription_id)) ?? null;
      const before = { ...emptySnapshot, subscription };
      return carryOut(state, command, before, decideCancel(subscription, command));
    },

    findSubscription: async (partition, id) => subscriptions.get(rowKey(partition, id)) ?? null,

    async listSubscriptions({ customer_id, status, after, limit, ...partition }) {
      const matching = [...subscriptions.values()].filter(
        (subscription) =>
          subscription.store_id === partition.store_id &&
          subscription.livemode === partition.livemode &&
          (customer_id === undefined || subscription.customer.id === customer_id) &&
          (status === undefined || subscription.status === status) &&
          (after === undefined || subscription.id < after),
      );
      return matching.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1);
    },
  };
}
