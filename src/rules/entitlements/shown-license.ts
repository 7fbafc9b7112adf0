import type { Entitlement } from "../../contract/entitlement-schema.ts";
import type { OrderRecord } from "../records.ts";
import type {
  ActivationRecord,
  DeliveredContent,
  EntitlementRecord,
  LicenseKeyRecord,
} from "./entitlement-record.ts";

/** Tells whether it is an uploaded key that is not there yet. */
export const waitsForKey = (content: DeliveredContent): content is LicenseKeyRecord =>
  content.type === "license_key" && content.key_hash === null;

/** Says whether the buyer has it, waits for an uploaded key, or has it no more. */
export function statusOf({ content, revoked_at }: EntitlementRecord): Entitlement["status"] {
  if (revoked_at !== null) return "revoked";
  return waitsForKey(content) ? "pending" : "granted";
}

/** Gives how many activations a key may have: each piece brings its own. Null means no limit. */
export const activationLimit = ({ content, quantity }: EntitlementRecord): number | null =>
  content.type === "license_key" && content.activations ? content.activations * quantity : null;

/** Puts an entitlement in the place of the one with its id. */
export const withEntitlement = (
  order: OrderRecord,
  entitlement: EntitlementRecord,
): OrderRecord => ({
  ...order,
  entitlements: (order.entitlements ?? []).map((each) =>
    each.id === entitlement.id ? entitlement : each,
  ),
});

export const activationsOf = ({
  activations = [],
}: EntitlementRecord): readonly ActivationRecord[] => activations;
