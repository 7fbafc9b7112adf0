import { notesOf } from "../../rows/lists/orders.ts";
import type { NamedRecords, OfOrder, StepRecords, StepRows } from "../../rows/step/step-rows.ts";
import type { NotedMessage } from "../../rules/orders/order-changes.ts";
import type { OrderRecord, Partition, ProductRecord } from "../../rules/records.ts";
import { raiseAlert, withdrawAlert } from "../access/alerts.ts";
import { bumpCatalogVersion, putProduct, rowsOfStore } from "../catalog/catalog-rows.ts";
import { testOffset } from "../clock/test-offset.ts";
import { findPoolKeys, takePoolKey } from "../records/pool-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { addStat } from "../stats.ts";
import { endpointsOf } from "../webhooks/endpoints.ts";
import { insertEvent } from "../webhooks/events.ts";
import { putDelivery } from "../webhooks/webhook-state.ts";
import { findKey, putKey } from "./idempotency-keys.ts";
import { findOrderOfSession } from "./order-state.ts";
import { keepTotal, removeOrder } from "./remove-order.ts";

type Tables = { readonly [Kind in keyof StepRecords]: Map<string, StepRecords[Kind]> };

/** Gives the tables of the rows that steps write. */
export const orderTables = ({ orders, checkout }: MemoryState): Tables => ({
  session: checkout.sessions,
  order: orders.orders,
  attempt: orders.attempts,
  payment: orders.payments,
  refund: orders.refunds,
  dispute: orders.disputes,
  subscription: orders.subscriptions,
});

const known = new WeakMap<MemoryState, Map<string, StepRows>>();

/** Gives what steps read and write of a store in one mode. It is made once for each of them. */
export function stepRows(state: MemoryState, { store_id, livemode }: Partition): StepRows {
  const ofState = known.get(state) ?? new Map<string, StepRows>();
  known.set(state, ofState);
  const key = rowKey({ store_id, livemode });
  const rows = ofState.get(key) ?? makeStepRows(state, { store_id, livemode });
  ofState.set(key, rows);
  return rows;
}

function makeStepRows(state: MemoryState, partition: Partition): StepRows {
  const { orders, catalog, checkout, webhooks } = state;
  const tables = orderTables(state);
  const keyOf = (id: string): string => rowKey(partition, id);
  const productOf = (id: string): ProductRecord | undefined =>
    rowsOfStore(catalog.products, partition.store_id).get(id)?.record;
  const finders: Finders = {
    session: (id) => checkout.sessions.get(keyOf(id)),
    order: (id) => orders.orders.get(keyOf(id)),
    subscription: (id) => orders.subscriptions.get(keyOf(id)),
    product: productOf,
    coupon: (id) => rowsOfStore(catalog.coupons, partition.store_id).get(id),
  };

  return {
    partition,
    get offset() {
      return testOffset(state, partition);
    },
    find: (kind, id) => finders[kind](id) ?? null,
    orderOfSession: (session_id) => findOrderOfSession(orders, partition, session_id),
    orderOfPeriod(subscription_id, start) {
      const id = orders.by_period.get(keyOf(`${subscription_id}\n${start}`));
      return id === undefined ? null : (orders.orders.get(keyOf(id)) ?? null);
    },
    ofOrder<Kind extends keyof OfOrder>(kind: Kind, order_id: string) {
      const table: Tables[Kind] = tables[kind];
      const keys = orders.by_order.get(keyOf(`${order_id}\n${kind}`)) ?? [];
      return keys.flatMap((key) => table.get(key) ?? []);
    },
    carriersOf(reference) {
      const ids = [...(orders.attempts_by_reference.get(keyOf(reference)) ?? [])];
      return ids.flatMap((id) => orders.attempts.get(keyOf(id)) ?? []);
    },
    stockOf: (id) => catalog.stock.get(keyOf(id)) ?? null,
    usesOf: (id, customer) => usesBy(state, customer).get(keyOf(useId(id, customer))) ?? 0,
    openHolds: (address) => checkout.open_holds.get(keyOf(address)) ?? 0,
    freeKeys: (id, count) => findPoolKeys(state, partition, id, count),
    findKey: (scope) => findKey(state, scope),
    isSeen: (message) => orders.notifications.has(keyOf(messageId(message))),
    notesOf: (order_id) => notesOf(orders.notes.values(), partition, order_id),

    put<Kind extends keyof StepRecords>(kind: Kind, row: StepRecords[Kind]) {
      const table: Tables[Kind] = tables[kind];
      const key = keyOf(kind === "dispute" ? disputeId(row) : row.id);
      if ("order_id" in row && !table.has(key))
        append(orders.by_order, keyOf(`${row.order_id}\n${kind}`), key);
      if (kind === "order") indexOrder(state, row as OrderRecord);
      table.set(key, row);
    },
    putReference(reference, attempt_id) {
      const key = keyOf(reference);
      const known = orders.attempts_by_reference.get(key);
      if (!known?.has(attempt_id))
        orders.attempts_by_reference.set(key, new Set([...(known ?? []), attempt_id]));
    },
    putStock: (id, count) => void catalog.stock.set(keyOf(id), count),
    showAnew(ids) {
      for (const product of ids.flatMap((id) => productOf(id) ?? [])) putProduct(state, product);
      bumpCatalogVersion(state, partition.store_id);
    },
    putUses: (id, customer, used) =>
      putCount(usesBy(state, customer), keyOf(useId(id, customer)), used),
    putOpenHolds: (address, open) => putCount(checkout.open_holds, keyOf(address), open),
    takeKey: (taken) => takePoolKey(state, partition, taken),
    putKey: (key) => putKey(state, key),
    noteSeen: (message) => void orders.notifications.add(keyOf(messageId(message))),
    lastNumbers: () => webhooks.counters.get(keyOf("")) ?? { order_number: 0, sequence: 0 },
    putNumbers: (numbers) => void webhooks.counters.set(keyOf(""), numbers),
    withdrawAlert: (alert) => withdrawAlert(state, partition, alert),
    raiseAlert: (alert, due_at) => raiseAlert(state, alert, due_at),
    endpoints: () => endpointsOf(state, partition),
    putEvent: (event) => insertEvent(state, event),
    putDelivery: (delivery) => putDelivery(webhooks, delivery),
    addStat: (change) => addStat(state, partition, change),
    remove: (found) => removeOrder(state, found),
    keepTotal: (total) => keepTotal(state, partition, total),
  };
}

type Finders = {
  readonly [Kind in keyof NamedRecords]: (id: string) => NamedRecords[Kind] | undefined;
};

const messageId = ({ gateway, notification_id }: NotedMessage): string =>
  `${gateway}\n${notification_id}`;

/** Names a dispute, whose id is unique among those of its order. */
const disputeId = (row: { readonly id: string; readonly order_id?: string }): string =>
  `${row.order_id}\n${row.id}`;

/** The uses by all are counted by coupon, those of each customer by coupon and customer. */
const usesBy = ({ catalog, orders }: MemoryState, customer: string): Map<string, number> =>
  customer === "" ? catalog.coupon_uses : orders.coupon_uses;

const useId = (coupon_id: string, customer: string): string =>
  customer === "" ? coupon_id : `${coupon_id}\n${customer}`;

/** Leaves nothing of 0: the key of a use may be an e-mail address. */
function putCount(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

const append = (lists: Map<string, readonly string[]>, key: string, value: string): void =>
  void lists.set(key, [...(lists.get(key) ?? []), value]);

function indexOrder({ orders: { by_session, by_period } }: MemoryState, order: OrderRecord): void {
  const { id, session_id, subscription_id, period_start } = order;
  if (session_id !== null) by_session.set(rowKey(order, session_id), id);
  if (subscription_id !== null)
    by_period.set(rowKey(order, `${subscription_id}\n${period_start}`), id);
}
