import { erasedCustomerId } from "../owner/erased-customer.ts";
import type { OrderRecord } from "../records.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";
import { waitsForKey } from "./shown-license.ts";

type Waiting = Pick<OrderRecord, "customer" | "entitlements">;

/**
 * Gives what an order has no key for, also what was taken back before it had one. Once its buyer
 * is erased, nobody is left to get a key.
 */
export const keylessOf = ({
  customer,
  entitlements = [],
}: Waiting): readonly EntitlementRecord[] =>
  customer.id === erasedCustomerId
    ? []
    : entitlements.filter(({ content }) => waitsForKey(content));

/** Gives what an order still waits for. */
export const pendingOf = (order: Waiting): readonly EntitlementRecord[] =>
  keylessOf(order).filter(({ revoked_at }) => revoked_at === null);
