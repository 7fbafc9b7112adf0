import { type Html, html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { maxVariants } from "../../../rules/catalog/groups/product-groups.ts";
import { inStore } from "../../addresses.ts";
import { amountText } from "../../format.ts";
import { card, table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { stockCell, stockLeft } from "./product-stock.ts";
import { stateOf } from "./products.ts";

/** Lists the products of the same group. It gives null for a product without one. */
export async function variantsCard(visit: StoreVisit, product: OwnerProduct): Promise<Html | null> {
  if (product.group === undefined) return null;
  const { parts, store, language } = visit;
  const { say } = language;
  const { data } = await parts.owner.products.list(store.id, {
    group: product.group,
    limit: maxVariants,
  });
  const left = await stockLeft(visit, data);

  const rows = data.map((variant) => {
    const label = (variant.options ?? []).map(({ value }) => value).join(" · ") || variant.name;
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
  return card(caption, table({ caption, columns, rows, amounts: 1 }));
}
