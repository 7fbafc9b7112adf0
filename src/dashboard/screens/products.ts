import { type Html, html } from "../../contract/html.ts";
import type { OwnerProduct } from "../../owner/products.ts";
import { inStore } from "../addresses.ts";
import { actionLink, badge, emptyList, table } from "../elements.ts";
import { amountText } from "../format.ts";
import { picture } from "../pictures.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { pageQuery, pager } from "./lists.ts";

const pictureOf = ({ settings }: StoreVisit, { images }: OwnerProduct): Html =>
  picture(images[0], 40, settings) ?? html`<span class="blank" aria-hidden="true"></span>`;

export const stateOf = ({ language }: StoreVisit, product: OwnerProduct): Html => {
  if (!product.active) return badge("plain", language.say("state_draft"));
  if (product.blocked) return badge("warn", language.say("state_blocked"));
  return badge("good", language.say("state_published"));
};

const stockText = ({ language }: StoreVisit, { stock }: OwnerProduct): string =>
  stock === null
    ? language.say("stock_uncounted")
    : new Intl.NumberFormat(language.locale).format(stock);

export const productsScreen: Screen = {
  path: "products",
  section: "products",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const page = await parts.owner.products.list(store.id, pageQuery(visit));
    const create = actionLink(visit, "products.create", {
      label: "product_create",
      address: inStore(visit, ["products", "new"]),
      kind: "primary",
    });

    const rows = page.data.map((product) => [
      html`<div class="thing">${pictureOf(visit, product)}<div>
<a href="${inStore(visit, ["products", product.id])}">${product.name}</a>
<small>${product.slug}</small></div></div>`,
      amountText(visit, product.price, product.currency),
      stockText(visit, product),
      stateOf(visit, product),
    ]);
    const list = table({
      caption: say("section_products"),
      columns: [say("product"), say("price"), say("stock"), say("state")],
      rows,
    });
    return {
      title: say("section_products"),
      primary: rows.length === 0 ? null : create,
      body:
        rows.length === 0
          ? emptyList(say("products_empty_title"), say("products_empty_text"), create)
          : html`${list}${pager(visit, page)}`,
    };
  },
};
