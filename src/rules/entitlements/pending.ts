import { erasedCustomerId } from "../owner/erased-customer.ts";
import type { OrderRecord } from "../records.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";
import { waitsForKey } from "./shown-license.ts";

type Waiting = Pick<OrderRecord, "customer" | "entitlements">;

/**
 * Gives the entitlements of an order that lack a key, revoked ones too. The order of an erased
 * buyer needs no key.
 */
export const keylessOf = ({
  customer,
  entitlements = [],
}: Waiting): readonly EntitlementRecord[] =>
  customer.id === erasedCustomerId
    ? []
    : entitlements.filter(({ content }) => waitsForKey(content));

/** Gives the entitlements for which an order waits for a key. */
export const pendingOf = (order: Waiting): readonly EntitlementRecord[] =>
  keylessOf(order).filter(({ revoked_at }) => revoked_at === null);
