import { isApiError } from "../../contract/errors.ts";
import type { Entitlement, Order } from "../../contract/schemas.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { iso, isoOrNull } from "../catalog/render.ts";
import { renderOrder } from "../catalog/render-order.ts";
import type { OrderRecord } from "../records.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";
import { activationLimit, activationsOf } from "./shown-license.ts";

/** Renders an order together with what its buyer has got. */
export async function showOrder(
  keyRing: KeyRing,
  order: OrderRecord,
  viewer?: "buyer",
): Promise<Order> {
  const shown = renderOrder(order, viewer);
  const { entitlements } = order;
  return entitlements
    ? { ...shown, entitlements: await showEntitlements(keyRing, entitlements) }
    : shown;
}

/** Names what was taken back without its content. */
const showEntitlements = (
  keyRing: KeyRing,
  entitlements: readonly EntitlementRecord[],
): Promise<Entitlement[]> =>
  Promise.all(
    entitlements.map(async (entitlement) => {
      const { id, content, item_id, product_id, quantity, granted_at, revoked_at } = entitlement;
      const shown = revoked_at === null ? content : null;
      return {
        id,
        type: content.type,
        item_id,
        product_id,
        quantity,
        text: shown?.type === "text" ? shown.text : null,
        url: shown?.type === "link" ? shown.url : null,
        license_key: shown?.type === "license_key" ? await openKey(keyRing, id, shown) : null,
        license_key_last4: content.type === "license_key" ? content.last4 : null,
        activation_limit: activationLimit(entitlement),
        activation_usage: content.type === "license_key" ? activationsOf(entitlement).length : null,
        granted_at: iso(granted_at),
        revoked_at: isoOrNull(revoked_at),
      };
    }),
  );

/** Gives null when the seal key is no longer in the ring, and for an erased buyer. */
async function openKey(
  keyRing: KeyRing,
  id: string,
  { sealed_key }: { readonly sealed_key: string | null },
): Promise<string | null> {
  if (sealed_key === null) return null;
  try {
    return await keyRing.unseal(sealed_key, id);
  } catch (error) {
    if (isApiError(error) && error.code === "invalid_option") return null;
    throw error;
  }
}
