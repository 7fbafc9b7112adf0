import { isApiError } from "../../contract/errors.ts";
import type { Entitlement, Order } from "../../contract/schemas.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { iso, isoOrNull } from "../../domain/text/iso.ts";
import { renderOrder } from "../catalog/render-order.ts";
import type { OrderRecord } from "../records.ts";
import { downloadLimit, fileNameOf, linkEnd, sealFileLink } from "./download.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";
import { activationLimit, activationsOf, statusOf } from "./shown-license.ts";

/** Opens what a buyer has got. */
export interface ContentOpener {
  readonly keyRing: KeyRing;
  /** The address below which files are handed over. Null when the host hands over none. */
  readonly filesUrl: string | null;
  now(): number;
}

/** Renders an order together with what its buyer has got. */
export async function showOrder(
  opener: ContentOpener,
  order: OrderRecord,
  viewer?: "buyer",
): Promise<Order> {
  const shown = renderOrder(order, viewer);
  const { entitlements } = order;
  return entitlements
    ? { ...shown, entitlements: await showEntitlements(opener, order, entitlements) }
    : shown;
}

/** Names what was taken back without its content. */
const showEntitlements = (
  opener: ContentOpener,
  order: OrderRecord,
  entitlements: readonly EntitlementRecord[],
): Promise<Entitlement[]> =>
  Promise.all(
    entitlements.map(async (entitlement) => {
      const { id, content, item_id, product_id, quantity, granted_at, revoked_at } = entitlement;
      const shown = revoked_at === null ? content : null;
      return {
        id,
        type: content.type,
        status: statusOf(entitlement),
        item_id,
        product_id,
        quantity,
        text: shown?.type === "text" ? shown.text : null,
        url: shown && (await urlOf(opener, order, entitlement)),
        license_key:
          shown?.type === "license_key"
            ? await openKey(opener.keyRing, shown.sealed_for ?? id, shown)
            : null,
        license_key_last4: content.type === "license_key" ? content.last4 : null,
        activation_limit: activationLimit(entitlement),
        activation_usage: content.type === "license_key" ? activationsOf(entitlement).length : null,
        file_name: content.type === "file" ? fileNameOf(content) : null,
        download_limit: downloadLimit(entitlement),
        downloads: content.type === "file" ? (entitlement.downloads ?? 0) : null,
        granted_at: iso(granted_at),
        revoked_at: isoOrNull(revoked_at),
      };
    }),
  );

/** Gives the address of a link, or of a file for an hour. */
async function urlOf(
  { keyRing, filesUrl, now }: ContentOpener,
  { store_id, livemode, id: order_id }: OrderRecord,
  { id: entitlement_id, content }: EntitlementRecord,
): Promise<string | null> {
  if (content.type === "link") return content.url;
  if (content.type !== "file" || filesUrl === null) return null;

  const link = { store_id, livemode, order_id, entitlement_id, expires_at: linkEnd(now()) };
  return `${filesUrl}/${await sealFileLink(keyRing, link)}`;
}

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
