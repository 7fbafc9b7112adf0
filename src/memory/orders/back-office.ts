import { maxNotes } from "../../rules/orders/order-terms.ts";
import { movedRows, placeOfSale } from "../../rules/owner/moved-money.ts";
import { customersOf, findsOrder, isListedByTime } from "../../rules/owner/order-search.ts";
import type { NoteRecord, OrderRecord, Partition } from "../../rules/records.ts";
import type {
  BackOfficeStore,
  OrderHistory,
  OrderSearch,
} from "../../storage/back-office-store.ts";
import type { OrderList } from "../../storage/order-store.ts";
import { isIn, type MemoryState, rowKey } from "../state.ts";
import { loadByOrder } from "./order-snapshot.ts";

/** Everything is read from the orders themselves: there is nothing to keep beside them. */
export const memoryBackOffice = (state: MemoryState): BackOfficeStore => ({
  searchOrders: async (search) => searchOrders(state, search),
  findHistory: async (partition, order_id) => findHistory(state, partition, order_id),
  listNotes: async (partition, order_id, { after, limit }) =>
    notesOf(state, partition, order_id)
      .filter(({ id }) => after === null || id < after)
      .slice(0, limit),
  listCustomers: async (partition, query) => {
    const orders = [...state.orders.orders.values()].filter((order) => isIn(partition, order));
    const all = customersOf(orders);
    if ("ids" in query) return all.filter(({ id }) => query.ids.includes(id));
    const { after, limit } = query;
    return all.filter(({ id }) => after === null || id > after).slice(0, limit);
  },
  indexOrders: async () => 0,
  indexProducts: async () => 0,
});

function searchOrders(state: MemoryState, search: OrderSearch): OrderList {
  const { orders } = state.orders;
  if (search.paid) {
    const { after, ...range } = search.paid;
    const own = [...orders.values()].filter((order) => isIn(search, order));
    const place = { ...range, after: after && ([after.at, after.number] as const) };
    const paid = movedRows(own, place, placeOfSale);
    return { outcome: "listed", orders: paid.slice(0, search.limit + 1) };
  }

  const cursor = search.after === undefined ? null : orders.get(rowKey(search, search.after));
  if (cursor === undefined) return { outcome: "unknown_cursor" };

  const byTime = isListedByTime(search);
  const newestFirst = (one: OrderRecord, other: OrderRecord): number =>
    (byTime ? other.created_at - one.created_at : 0) || other.number - one.number;

  const found = [...orders.values()].filter(
    (order) =>
      isIn(search, order) &&
      passesFilters(order, search) &&
      findsOrder(order, search, () => loadByOrder(state, order, order.id)) &&
      (!cursor || newestFirst(cursor, order) < 0),
  );
  return { outcome: "listed", orders: found.sort(newestFirst).slice(0, search.limit + 1) };
}

const passesFilters = (order: OrderRecord, search: OrderSearch): boolean =>
  (search.status === undefined || order.status === search.status) &&
  (search.customer_id === undefined || order.customer.id === search.customer_id) &&
  (search.created_from === undefined || order.created_at >= search.created_from) &&
  (search.created_to === undefined || order.created_at < search.created_to);

function findHistory(
  state: MemoryState,
  partition: Partition,
  order_id: string,
): OrderHistory | null {
  const order = state.orders.orders.get(rowKey(partition, order_id));
  if (!order) return null;

  const { attempts, payments, refunds, disputes } = loadByOrder(state, partition, order_id);
  const notes = notesOf(state, partition, order_id).slice(0, maxNotes);
  return { order, attempts, payments, refunds, disputes, notes };
}

/** Gives the notes of an order, the newest first. */
export const notesOf = (
  state: MemoryState,
  partition: Partition,
  order_id: string,
): readonly NoteRecord[] =>
  [...state.orders.notes.values()]
    .filter((note) => isIn(partition, note) && note.order_id === order_id)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
