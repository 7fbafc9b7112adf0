import { selectCustomers } from "../../rows/lists/office.ts";
import { notesOf, searchOrders } from "../../rows/lists/orders.ts";
import { isIn } from "../../rows/page.ts";
import { readOrder } from "../../rows/step/read-step.ts";
import { maxNotes } from "../../rules/orders/order-terms.ts";
import { customersOf } from "../../rules/owner/order-search.ts";
import type { BackOfficeStore } from "../../storage/back-office-store.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { stepRows } from "./step-rows.ts";

/** Everything is read from the orders themselves, and from what removed ones have left. */
export function memoryBackOffice(state: MemoryState): BackOfficeStore {
  const { orders, notes, kept_totals } = state.orders;

  return {
    searchOrders: async (search) => {
      const rows = stepRows(state, search);
      return searchOrders(orders.values(), search, ({ id }) => readOrder(rows, id));
    },
    async findHistory(partition, order_id) {
      const found = readOrder(stepRows(state, partition), order_id);
      const { order, attempts, payments, refunds, disputes } = found;
      const newest = notesOf(notes.values(), partition, order_id).slice(0, maxNotes);
      return order && { order, attempts, payments, refunds, disputes, notes: newest };
    },
    listNotes: async (partition, order_id, { after, limit }) =>
      notesOf(notes.values(), partition, order_id)
        .filter(({ id }) => after === null || id < after)
        .slice(0, limit),
    async listCustomers(partition, query) {
      const prefix = rowKey(partition);
      const kept = [...kept_totals].flatMap(([key, total]) =>
        key.startsWith(prefix) ? [total] : [],
      );
      const all = customersOf(
        [...orders.values()].filter((order) => isIn(partition, order)),
        kept,
      );
      return selectCustomers(all, query);
    },
    indexOrders: async () => 0,
    indexProducts: async () => 0,
  };
}
