import { type Html, html, page } from "./html.ts";

/** The pages of the shop, which the script of shop-page.ts fills in. */
export interface ShopPages {
  readonly shop: string;
  readonly product: string;
  readonly order: string;
  readonly cancel: string;
}

export function renderShopPages(publishableKey: string): ShopPages {
  const withCart = (title: string, body: Html): string =>
    page(title, html`${body}${cartPanel(publishableKey)}`, cartButton);
  return {
    shop: withCart("Shop", shopBody),
    product: withCart("Product", productBody),
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

const productBody = html`<div data-page="product"><p><a href="/">← All products</a></p>
<p class="problem" id="problem" role="alert" hidden></p><div id="product" class="product-page"></div></div>`;

const orderBody = html`<div data-page="order" class="narrow"><p class="problem" id="problem" role="alert" hidden></p>
<div id="order" aria-live="polite"><h1>Your order</h1><p class="note">One moment …</p></div></div>`;

const cancelBody = html`<div class="narrow card"><h1>Nothing was paid</h1>
<p>You left the checkout. Your cart is still there.</p><p><a href="/">Back to the shop</a></p></div>`;
