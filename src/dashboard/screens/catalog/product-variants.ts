import { type Html, html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { maxVariants } from "../../../rules/catalog/groups/product-groups.ts";
import { inStore } from "../../addresses.ts";
import { amountText } from "../../format.ts";
import { actionLink, card, table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { stockCell, stockLeft } from "./product-stock.ts";
import { stateOf } from "./products.ts";
import { inOrder } from "./variants/plan.ts";
import { variantLabel } from "./variants/variant-table.ts";
import { mayMake } from "./variants/variants.ts";

/** Lists the products of the same group, and leads to the page that edits and makes them. */
export async function variantsCard(visit: StoreVisit, product: OwnerProduct): Promise<Html | null> {
  const { parts, store, language } = visit;
  const { say } = language;
  const address = inStore(visit, ["products", product.id, "variants"]);
  const isAlone = product.group === undefined;
  const first = mayMake(visit, { members: [] })
    ? actionLink(visit, "products.create", { label: "variants_make_title", address })
    : null;
  const make = isAlone
    ? first
    : html`<a class="button" href="${address}">${say("variants_edit")}</a>`;
  const actions = make && html`<div class="actions">${make}</div>`;
  if (isAlone) return actions && card(say("product_variants"), actions);

  const { data } = await parts.owner.products.list(store.id, {
    group: product.group,
    limit: maxVariants,
  });
  const left = await stockLeft(visit, data);

  const rows = inOrder(data).map((variant) => {
    const label = variantLabel(variant);
    const address = inStore(visit, ["products", variant.id]);
    return [
      variant.id === product.id
        ? html`<strong>${label}</strong>`
        : html`<a href="${address}">${label}</a>`,
      amountText(visit, variant.price, variant.currency),
      stockCell(visit, variant, left.get(variant.id)),
      variant.sku ?? "",
      stateOf(visit, variant),
    ];
  });
  const columns = [say("product"), say("price"), say("stock"), say("sku"), say("state")];
  const caption = say("product_variants");
  return card(caption, html`${table({ caption, columns, rows, amounts: 1 })}${actions}`);
}
