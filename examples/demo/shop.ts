import type { Product } from "vitrine/client";
import { createMoneyFormat } from "vitrine/money";
import { type Html, html, page } from "./html.ts";

/** The pages of the shop, which the script of shop-page.ts fills in. */
export interface ShopPages {
  readonly shop: string;
  /** Renders the page of a product, or says that there is none, for readers without a script. */
  product(shown: ShownProduct | null): string;
  readonly order: string;
  readonly cancel: string;
}

export function renderShopPages(publishableKey: string): ShopPages {
  const withCart = (title: string, body: Html): string =>
    page(title, html`${body}${cartPanel(publishableKey)}`, cartButton);
  return {
    shop: withCart("Shop", shopBody),
    product: (shown) => withCart(shown?.name ?? "Product", productBody(shown)),
    order: withCart("Your order", orderBody),
    cancel: withCart("Canceled", cancelBody),
  };
}

const cartButton = html`<button type="button" class="button" id="open-cart" aria-haspopup="dialog">
Cart <span class="count" id="cart-count">0</span></button>`;

const cartPanel = (
  publishableKey: string,
): Html => html`<dialog id="cart" aria-labelledby="cart-title" data-key="${publishableKey}">
<div class="row"><h2 id="cart-title">Your cart</h2>
<button type="button" class="button quiet" id="close-cart">Close</button></div>
<p class="problem" id="cart-problem" role="alert" hidden></p>
<p class="note" id="cart-empty">Your cart is empty.</p>
<div id="cart-full" hidden><ul class="lines" id="cart-lines"></ul>
<form id="coupon" class="row"><input id="code" placeholder="Coupon" aria-label="Coupon" maxlength="100" autocomplete="off">
<button class="button">Apply</button></form><p id="coupon-answer" role="status"></p>
<dl class="sums" id="sums"></dl>
<button type="button" class="button primary" id="pay">Check out</button></div></dialog>
<p class="toast" id="added" role="status"></p>`;

const shopBody = html`<div data-page="shop"><h1>Shop</h1>
<form id="filters" role="search"><input type="search" id="search" placeholder="Search products" aria-label="Search products" maxlength="100" autocomplete="off" list="suggestions"><datalist id="suggestions"></datalist>
<label class="row sorting">Sort by <select id="sort"><option value="">Best match</option><option value="price">Lowest price</option>
<option value="-price">Highest price</option><option value="newest">Newest</option></select></label>
<div id="categories" role="group" aria-label="Categories"></div></form>
<p class="problem" id="problem" role="alert" hidden></p>
<p id="shown" class="note" role="status"></p><div id="products" class="grid"></div>
<button type="button" class="button" id="more" hidden>Show more</button></div>`;

/** What the page of a product shows of the API's answer. */
export type ShownProduct = Pick<
  Product,
  "id" | "name" | "description" | "images" | "price" | "currency" | "available" | "group"
>;

const productBody = (
  shown: ShownProduct | null,
): Html => html`<div data-page="product"><p><a href="/">← All products</a></p>
<p class="problem" id="problem" role="alert" hidden></p>
<div id="product" class="product-page">${shown && plainProduct(shown)}</div></div>`;

/** Renders a product with links to its variants. The script puts the same in its place. */
const plainProduct = ({ id, name, description, images, price, ...rest }: ShownProduct): Html => {
  const { currency, available, group } = rest;
  const money = createMoneyFormat(currency, { locale: "en" });
  const variants = group?.variants ?? [];
  const names = (group?.options ?? []).map((option) => option.name).join(" · ");
  const links = variants.map((variant) => {
    const words = variant.options.map(({ value }) => value).join(" · ");
    const cost = variant.available ? money(variant.price) : "sold out";
    const current = variant.id === id ? html`aria-current="true"` : null;
    return html`<li><a class="button" href="/products/${variant.slug}" ${current}><span>${words}
<small>${cost}</small></span></a></li>`;
  });
  return html`<img src="${images[0] ?? "/images/none.svg"}" width="480" height="480" alt="">
<div class="words"><h1>${name}</h1><p class="price">${money(price)}</p><p>${description}</p>
${variants.length < 2 ? null : html`<p class="note">${names}</p><nav class="variants" aria-label="${names}"><ul>${links}</ul></nav>`}
<noscript><p class="note">${available ? "The cart needs JavaScript." : "Sold out"}</p></noscript></div>`;
};

const orderBody = html`<div data-page="order" class="narrow"><p class="problem" id="problem" role="alert" hidden></p>
<div id="order" aria-live="polite"><h1>Your order</h1><p class="note">One moment …</p></div></div>`;

const cancelBody = html`<div class="narrow card"><h1>Nothing was paid</h1>
<p>You left the checkout. Your cart is still there.</p><p><a href="/">Back to the shop</a></p></div>`;
