import { tokensOfCustomer } from "../../rules/audit/audit-changes.ts";
import { isTokenRevoked } from "../../rules/checkout/buyer.ts";
import { currentAttempt } from "../../rules/payments/order-attempt.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { OrderList, OrderQuery, OrderRecords, OrderStore } from "../../storage/order-store.ts";
import { written } from "../access/written.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { memoryMaintenance } from "./order-maintenance.ts";
import { loadByOrder, loadBySession } from "./order-snapshot.ts";
import { memoryRefunds } from "./refunds.ts";
import { findRevocation, putRevocation } from "./revocations.ts";
import { memorySteps } from "./steps.ts";
import { memorySubscriptions } from "./subscriptions.ts";

export const memoryOrders = (state: MemoryState): OrderStore => ({
  ...memoryOrderReads(state),
  ...memorySteps(state),
  ...memoryRefunds(state),
  ...memorySubscriptions(state),
  ...memoryMaintenance(state),
});

type OrderReads = Pick<
  OrderStore,
  | "find"
  | "listOrders"
  | "listCustomerOrders"
  | "revokeCustomerTokens"
  | "findCheckout"
  | "listPayments"
>;

type RecordMaps = {
  readonly [Kind in keyof OrderRecords]: ReadonlyMap<string, OrderRecords[Kind]>;
};

function memoryOrderReads(state: MemoryState): OrderReads {
  const { orders, attempts, payments, refunds, subscriptions } = state.orders;
  const records: RecordMaps = {
    order: orders,
    attempt: attempts,
    payment: payments,
    refund: refunds,
    subscription: subscriptions,
  };

  return {
    find: async (kind, partition, id) => records[kind].get(rowKey(partition, id)) ?? null,

    listOrders: async (query) => listOrders(state, query, () => true),

    async listCustomerOrders(query) {
      const { customer_id, customer_keys, token_issued_at } = query;
      const revocation = findRevocation(state, query, customer_keys);
      if (isTokenRevoked(token_issued_at, revocation?.not_before ?? null))
        return { outcome: "token_revoked" };

      return listOrders(state, query, (order) => order.customer.id === customer_id);
    },

    async revokeCustomerTokens(revocation) {
      const { customer_keys, not_before, customer_id, author } = revocation;
      putRevocation(state, revocation, customer_keys, { not_before, erased: false });
      const change = tokensOfCustomer(revocation, customer_id);
      written(state, { result: undefined, change }, author);
    },

    listPayments: async (partition, order_id) => loadByOrder(state, partition, order_id).payments,

    async findCheckout(partition, session_id) {
      const { session, order, attempts } = loadBySession(state, { ...partition, session_id });
      return session && { session, order, attempt: currentAttempt(attempts) };
    },
  };
}

/** Gives one page of the orders that the caller may see, the newest first. */
function listOrders(
  state: MemoryState,
  query: OrderQuery,
  isVisible: (order: OrderRecord) => boolean,
): OrderList {
  const { orders } = state.orders;
  const { store_id, livemode, after, status, session_id, limit } = query;
  const cursor = after === undefined ? null : orders.get(rowKey(query, after));
  const isKnown = cursor === null || (cursor !== undefined && isVisible(cursor));
  if (!isKnown) return { outcome: "unknown_cursor" };

  const matching = [...orders.values()].filter(
    (order) =>
      order.store_id === store_id &&
      order.livemode === livemode &&
      isVisible(order) &&
      (status === undefined || order.status === status) &&
      (session_id === undefined || order.session_id === session_id) &&
      (!cursor || order.number < cursor.number),
  );
  const newestFirst = matching.sort((a, b) => b.number - a.number);
  return { outcome: "listed", orders: newestFirst.slice(0, limit + 1) };
}
