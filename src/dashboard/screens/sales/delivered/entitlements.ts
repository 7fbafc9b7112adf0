import { type Html, html } from "../../../../contract/html.ts";
import type { Entitlement } from "../../../../contract/schemas.ts";
import type { OwnerActivation } from "../../../../owner/sales/order-licenses.ts";
import type { OwnerOrder } from "../../../../owner/sales/orders.ts";
import { countText, timeTag } from "../../../format.ts";
import { withRefusal } from "../../../forms/conflict.ts";
import { badge, breakable, buttonForm, card, table } from "../../../frame/elements.ts";
import type { FormResult, ScreenForm, StoreVisit, View } from "../../../screen.ts";

/** Shows what the buyer has got. A license key is the buyer's: it is shown by its end. */
export async function entitlementsCard(visit: StoreVisit, order: OwnerOrder): Promise<Html | null> {
  const { items, entitlements = [] } = order;
  if (entitlements.length === 0) return null;

  const { say } = visit.language;
  const title = say("entitlements_title");
  const inUse = await findActivations(visit, order);
  const rows = entitlements.map((entitlement) => {
    const product = items.find(({ id }) => id === entitlement.item_id)?.name ?? "";
    const uses = inUse.filter(({ entitlement_id }) => entitlement_id === entitlement.id);
    return [
      html`${product}
<small>${say(`delivery_${entitlement.type}`)} ${contentOf(entitlement)}</small>
${machines(visit, entitlement, uses)}`,
      entitlementState(visit, entitlement, product),
    ];
  });
  return card(title, table({ caption: title, columns: [say("product"), say("state")], rows }));
}

/** Most orders have no license key in use: nothing is read for them. */
async function findActivations(
  { parts, store, livemode }: StoreVisit,
  { id: order_id, entitlements = [] }: OwnerOrder,
): Promise<readonly OwnerActivation[]> {
  if (!entitlements.some(({ activation_usage }) => (activation_usage ?? 0) > 0)) return [];
  return parts.owner.orders.listActivations({ store_id: store.id, livemode, order_id });
}

const mostShown = 20;

/** Lists where a license key is in use, the newest first, each with a button that ends it. */
function machines(
  visit: StoreVisit,
  { activation_limit }: Entitlement,
  uses: readonly OwnerActivation[],
): Html | null {
  if (uses.length === 0) return null;

  const { language } = visit;
  const limit = activation_limit === null ? null : countText(visit, activation_limit);
  const lead =
    limit === null
      ? language.sayCount("machines", uses.length)
      : language.sayCount("machines_of", uses.length, { limit });
  const shown = uses.toReversed().slice(0, mostShown);
  const older = uses.length - shown.length;
  const more = older > 0 ? language.sayCount("machines_more", older) : null;
  return html`<p class="soft">${lead}</p><ul class="machines">${shown.map((use) => {
    const { id, entitlement_id, name, created_at } = use;
    const about = name === "" ? id : name;
    const fields = { entitlement_id, activation_id: id };
    const end = { name: "deactivate", action: "orders.deactivate_license" } as const;
    return html`<li><span>${breakable(about)} <small>${timeTag(visit, created_at)}</small></span>
${buttonForm(visit, { ...end, label: "deactivate", fields, about })}</li>`;
  })}</ul>${more === null ? null : html`<p class="soft">${more}</p>`}`;
}

function entitlementState(visit: StoreVisit, entitlement: Entitlement, about: string): Html {
  const { say } = visit.language;
  const { id, status, granted_at, revoked_at } = entitlement;
  if (revoked_at === null)
    return html`${badge(status === "pending" ? "warn" : "good", say(`entitlement_${status}`))}
<small>${timeTag(visit, granted_at)}</small>`;

  const again = { name: "regrant", action: "orders.regrant", label: "regrant" } as const;
  return html`${badge("plain", say("entitlement_revoked"))}
<small>${timeTag(visit, revoked_at)}</small>
${buttonForm(visit, { ...again, fields: { entitlement_id: id }, about })}`;
}

const contentOf = ({ url, file_name, license_key_last4 }: Entitlement): Html | null => {
  if (file_name !== null) return breakable(file_name);
  if (license_key_last4 !== null) return html`<code>···· ${license_key_last4}</code>`;
  return url === null ? null : breakable(url);
};

/** The forms of the card. `show` renders the whole order after a refusal. */
export const entitlementForms = (show: (visit: StoreVisit) => Promise<View>) =>
  ({
    regrant: {
      action: "orders.regrant",
      send: withRefusal({ codes: ["invalid_transition"], show }, async (visit, fields) => {
        await visit.parts.owner.orders.regrant(named(visit, fields));
        return { kind: "done", address: visit.path, message: "done_regranted" };
      }),
    },
    deactivate: {
      action: "orders.deactivate_license",
      async send(visit, fields): Promise<FormResult> {
        const activation_id = fields.get("activation_id") ?? "";
        await visit.parts.owner.orders.deactivate({ ...named(visit, fields), activation_id });
        return { kind: "done", address: visit.path, message: "done_deactivated" };
      },
    },
  }) satisfies Readonly<Record<string, ScreenForm>>;

const named = ({ store, livemode, params }: StoreVisit, fields: URLSearchParams) => ({
  store_id: store.id,
  livemode,
  order_id: params["id"] ?? "",
  entitlement_id: fields.get("entitlement_id") ?? "",
});
