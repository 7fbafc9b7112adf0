import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderIds } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { OrderRecord, Partition } from "../records.ts";
import { fillOrder } from "./key-pool.ts";
import { withEntitlement } from "./shown-license.ts";

/** Gives a buyer again what a refund or a dispute has taken back. */
export interface Regrant extends Partition {
  readonly order_id: string;
  readonly entitlement_id: string;
  readonly ids: Pick<OrderIds, "events">;
  readonly now: number;
}

/** The result of a regrant. */
export type RegrantResult =
  | { readonly outcome: "granted"; readonly order: OrderRecord }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "not_revoked" };

/**
 * Grants one entitlement whatever the order's status, until the order grants it by itself. An
 * entitlement that had no key yet takes one from the pool, or waits for one again.
 */
export function decideRegrant(
  { order, pools }: OrderSnapshot,
  { entitlement_id, ids, now }: Regrant,
): Decision<RegrantResult> {
  const entitlement = order?.entitlements?.find(({ id }) => id === entitlement_id);
  if (!order || !entitlement) return withoutChanges({ outcome: "unknown" });
  if (entitlement.revoked_at === null) return withoutChanges({ outcome: "not_revoked" });

  const given = { ...entitlement, revoked_at: null, regranted_at: now };
  const granted = { ...withEntitlement(order, given), updated_at: now };
  const { order: after, keys } = fillOrder(granted, pools, now);
  const events = new EventDrafts(ids.events, now);
  events.entitlements("entitlement.granted", after);
  return {
    result: { outcome: "granted", order: after },
    changes: orderChanges({ order: after, ...keys, events: events.list }),
  };
}
