import { erasedCustomerId } from "../owner/erased-customer.ts";
import type { OrderRecord } from "../records.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";
import { waitsForKey } from "./shown-license.ts";

/** Gives what an order still waits for. Once its buyer is erased, nobody is left to get a key. */
export const pendingOf = ({
  customer,
  entitlements = [],
}: Pick<OrderRecord, "customer" | "entitlements">): readonly EntitlementRecord[] =>
  customer.id === erasedCustomerId
    ? []
    : entitlements.filter((each) => waitsForKey(each.content) && each.revoked_at === null);
