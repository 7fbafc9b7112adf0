import { orderAlert } from "../orders/order-alert.ts";
import {
  type Decision,
  type OrderChanges,
  orderChanges,
  withoutChanges,
} from "../orders/order-changes.ts";
import type { OrderIds } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { AlertRecord, OrderRecord, Partition, SessionRecord } from "../records.ts";
import type { EntitlementRecord, TakenKey } from "./entitlement-record.ts";
import { keylessOf, pendingOf } from "./pending.ts";
import { waitsForKey } from "./shown-license.ts";

interface WantingSubject {
  readonly session: Pick<SessionRecord, "lines"> | null;
  readonly order: OrderRecord | null;
}

/**
 * Says how many uploaded keys a step may take, by the product, sorted: those of the lines that a
 * session pays, or with `fills` those that an order lacks. Most steps take none.
 */
export function keysWanted(
  subject: { readonly on: string; readonly fills?: boolean },
  { session, order }: WantingSubject,
): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  const add = (product_id: string, count: number): void =>
    void wanted.set(product_id, (wanted.get(product_id) ?? 0) + count);

  if (subject.on === "session")
    for (const { product_id, delivery } of session?.lines ?? [])
      if (delivery && waitsForKey(delivery.content))
        add(product_id, 1 + (delivery.more_ids?.length ?? 0));
  if (subject.fills && order) for (const { product_id } of keylessOf(order)) add(product_id, 1);
  return new Map([...wanted].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Gives keys of the pools to the entitlements that wait for one. Without a key left, they go on
 * waiting.
 */
export function fillFromPools(
  entitlements: readonly EntitlementRecord[],
  pools: OrderSnapshot["pools"],
  now: number,
): { readonly entitlements: readonly EntitlementRecord[]; readonly taken: readonly TakenKey[] } {
  const left = new Map([...pools].map(([product_id, keys]) => [product_id, [...keys]]));
  const taken: TakenKey[] = [];

  const filled = entitlements.map((entitlement): EntitlementRecord => {
    const { id: entitlement_id, product_id, content, revoked_at } = entitlement;
    if (!waitsForKey(content) || revoked_at !== null) return entitlement;

    const key = left.get(product_id)?.shift();
    if (!key) return entitlement;

    const { id: sealed_for, key_hash, sealed_key, last4 } = key;
    taken.push({ product_id, key_hash, entitlement_id });
    const known = { ...content, key_hash, sealed_key, last4, sealed_for };
    return { ...entitlement, content: known, granted_at: now };
  });
  return { entitlements: filled, taken };
}

/** An order with the keys that it has taken, and what a step writes of them. */
export interface FilledOrder {
  readonly order: OrderRecord;
  readonly keys: Partial<Pick<OrderChanges, "taken_keys" | "withdrawn">>;
}

/** Gives an order the keys that it waits for, as many as the pools have. */
export function fillOrder(
  order: OrderRecord,
  pools: OrderSnapshot["pools"],
  now: number,
): FilledOrder {
  const { entitlements, taken } = fillFromPools(order.entitlements ?? [], pools, now);
  if (taken.length === 0) return { order, keys: {} };

  const filled = { ...order, entitlements };
  const isDone = pendingOf(filled).length === 0;
  const withdrawn = isDone ? [{ type: "key_pool_empty", subject: order.id } as const] : [];
  return { order: filled, keys: { taken_keys: taken, withdrawn } };
}

/** Tells the owner of a paid order whose buyer waits for keys. */
export function emptyPoolAlerts(
  order: OrderRecord,
  id: string | undefined,
  now: number,
): readonly AlertRecord[] {
  const product_ids = [...new Set(pendingOf(order).map(({ product_id }) => product_id))];
  if (product_ids.length === 0) return [];
  const data = { product_ids };
  return [orderAlert(order, { id, type: "key_pool_empty", subject: order.id, data, now })];
}

/** Gives the keys that have come meanwhile to an order that waits for them. */
export interface Filling extends Partition {
  readonly order_id: string;
  readonly ids: Pick<OrderIds, "events">;
  readonly now: number;
}

/** How many keys a filled order has got. */
export interface FillingResult {
  readonly filled: number;
}

export function decideFilling(
  { order, pools }: OrderSnapshot,
  { ids, now }: Filling,
): Decision<FillingResult> {
  if (!order) return withoutChanges({ filled: 0 });

  const { order: after, keys } = fillOrder({ ...order, updated_at: now }, pools, now);
  if (!keys.taken_keys) return withoutChanges({ filled: 0 });

  const events = new EventDrafts(ids.events, now);
  events.entitlements("entitlement.granted", after);
  return {
    result: { filled: keys.taken_keys.length },
    changes: orderChanges({ order: after, ...keys, events: events.list }),
  };
}
