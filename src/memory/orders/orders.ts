import { selectRefunds, selectSubscriptions } from "../../rows/lists/money.ts";
import { selectOrders } from "../../rows/lists/orders.ts";
import { readSession } from "../../rows/step/read-step.ts";
import { tokensOfCustomer } from "../../rules/audit/audit-changes.ts";
import { isTokenRevoked } from "../../rules/checkout/buyer.ts";
import { currentAttempt } from "../../rules/payments/order-attempt.ts";
import type { OrderRecords, OrderStore } from "../../storage/order-store.ts";
import { written } from "../access/written.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { memoryMaintenance } from "./order-maintenance.ts";
import { findRevocation, putRevocation } from "./revocations.ts";
import { orderTables, stepRows } from "./step-rows.ts";
import { memorySteps } from "./steps.ts";

export const memoryOrders = (state: MemoryState): OrderStore => ({
  ...memoryOrderReads(state),
  ...memorySteps(state),
  ...memoryMaintenance(state),
});

type OrderReads = Omit<
  OrderStore,
  "step" | "claimWork" | "findAttempts" | "settleReservation" | "raiseOrderAlert"
>;

type RecordMaps = {
  readonly [Kind in keyof OrderRecords]: ReadonlyMap<string, OrderRecords[Kind]>;
};

function memoryOrderReads(state: MemoryState): OrderReads {
  const { orders, refunds, subscriptions } = state.orders;
  const records: RecordMaps = orderTables(state);

  return {
    find: async (kind, partition, id) => records[kind].get(rowKey(partition, id)) ?? null,

    listOrders: async (query) => selectOrders(orders.values(), query),

    async listCustomerOrders(query) {
      const { customer_keys, token_issued_at } = query;
      const revocation = findRevocation(state, query, customer_keys);
      if (isTokenRevoked(token_issued_at, revocation?.not_before ?? null))
        return { outcome: "token_revoked" };

      return selectOrders(orders.values(), query);
    },

    async revokeCustomerTokens(revocation) {
      const { customer_keys, not_before, customer_id, author } = revocation;
      putRevocation(state, revocation, customer_keys, { not_before, erased: false });
      const change = tokensOfCustomer(revocation, customer_id);
      written(state, { result: undefined, change }, author);
    },

    listRefunds: async (query) => selectRefunds(refunds.values(), query),
    listSubscriptions: async (query) => selectSubscriptions(subscriptions.values(), query),
    listPayments: async (partition, order_id) =>
      stepRows(state, partition).ofOrder("payment", order_id),

    async findCheckout(partition, session_id) {
      const { session, order, attempts } = readSession(stepRows(state, partition), { session_id });
      return session && { session, order, attempt: currentAttempt(attempts) };
    },
  };
}
