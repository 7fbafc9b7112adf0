import type { Product } from "vitrine/client";
import { createMoneyFormat } from "vitrine/money";
import { type Html, html, page } from "./html.ts";
import { eachOf, filled, type Lang, localeOf, type Words, wordsOf } from "./words.ts";

/** The pages of the shop, which the script of shop-page.ts fills in. */
export interface ShopPages {
  /** `plain` is where a reader without a script finds the same. */
  shop(plain: string): string;
  /** Renders the list of products for readers without a script. */
  plain(list: PlainList): string;
  /** Renders the page of a product, or says that there is none, for readers without a script. */
  product(shown: ShownProduct | null): string;
  /** Renders the order of a session, for readers without a script. */
  order(shown: ShownOrder | null): string;
  readonly cancel: string;
  /** Says that a product could not be bought. */
  readonly refused: string;
  readonly notFound: string;
}

export function renderShopPages(publishableKey: string, lang: Lang): ShopPages {
  const words = wordsOf(lang);
  const beside = cartButton(words);
  const withCart = (title: string, body: Html, plain?: string): string =>
    page(title, html`${body}${cartPanel(words, publishableKey)}`, {
      beside,
      lang,
      ...(plain !== undefined && { plain }),
    });
  const message = (title: string, text: Html | null = null): Html =>
    html`<div class="narrow card"><h1>${title}</h1>${text}
<p><a href="/">${words.back}</a></p></div>`;
  return {
    shop: (plain) => withCart(words.shop, shopBody(words), plain),
    plain: (list) => page(words.shop, plainBody(words, lang, list), { lang }),
    product: (shown) => withCart(shown?.name ?? words.product, productBody(words, lang, shown)),
    order: (shown) => withCart(words.your_order, orderBody(words, lang, shown)),
    cancel: withCart(words.canceled, message(words.nothing_paid, html`<p>${words.you_left}</p>`)),
    refused: page(words.not_sold, message(words.not_sold), { lang }),
    notFound: page(words.not_found, message(words.not_found), { lang }),
  };
}

const cartButton = (words: Words): Html => html`<button type="button" class="button" id="open-cart"
aria-haspopup="dialog">${words.cart} <span class="count" id="cart-count">0</span></button>`;

const cartPanel = (
  words: Words,
  publishableKey: string,
): Html => html`<dialog id="cart" aria-labelledby="cart-title" data-key="${publishableKey}">
<div class="row"><h2 id="cart-title">${words.your_cart}</h2>
<button type="button" class="button quiet" id="close-cart">${words.close}</button></div>
<p class="problem" id="cart-problem" role="alert" hidden></p>
<p class="note" id="cart-empty">${words.cart_empty}</p>
<div id="cart-full" hidden><ul class="lines" id="cart-lines"></ul>
<form id="coupon" class="row"><input id="code" placeholder="${words.coupon}" aria-label="${words.coupon}" maxlength="100" autocomplete="off">
<button class="button">${words.apply}</button></form><p id="coupon-answer" role="status"></p>
<dl class="sums" id="sums"></dl>
<button type="button" class="button primary" id="pay">${words.check_out}</button></div></dialog>
<p class="toast" id="added" role="status"></p>`;

const shopBody = (words: Words): Html => html`<div data-page="shop"><h1>${words.shop}</h1>
<form id="filters" role="search"><input type="search" id="search" placeholder="${words.search}" aria-label="${words.search}" maxlength="100" autocomplete="off" list="suggestions"><datalist id="suggestions"></datalist>
<label class="row sorting">${words.sort} <select id="sort"><option value="">${words.best}</option><option value="price">${words.cheapest}</option>
<option value="-price">${words.dearest}</option><option value="newest">${words.newest}</option></select></label>
<div id="categories" role="group" aria-label="${words.categories}"></div></form>
<p class="problem" id="problem" role="alert" hidden></p>
<p id="shown" class="note" role="status"></p><div id="products" class="grid"></div>
<button type="button" class="button" id="more" hidden>${words.more}</button></div>`;

/** A page of products, as the API answers. */
export interface PlainList {
  readonly search: string;
  readonly products: readonly Product[];
  readonly categories: readonly { readonly name: string; readonly slug: string }[];
  /** The address of the next page. */
  readonly next: string | null;
}

function plainBody(
  words: Words,
  lang: Lang,
  { search, products, categories, next }: PlainList,
): Html {
  const cards = products.map(({ name, slug, images, group, ...product }) => {
    const { price_from = product.price, price_to = product.price } = group ?? {};
    const lowest = priceText(words, lang, { ...product, price: price_from });
    const shown = price_from < price_to ? filled(words.from, { price: lowest }) : lowest;
    return html`<article class="product"><img src="${images[0] ?? "/images/none.svg"}" width="300"
height="300" alt=""><h2><a href="/products/${slug}">${name}</a></h2><p class="price">${shown}</p></article>`;
  });
  const chosen = categories.map(
    ({ name, slug }) => html`<a class="button" href="/plain?category=${slug}">${name}</a>`,
  );
  return html`<h1>${words.shop}</h1>
<form id="filters" role="search" method="get" action="/plain"><div class="row"><input type="search" name="search"
value="${search}" aria-label="${words.search}" maxlength="100"><button class="button">${words.find}</button></div>
<div id="categories" role="group" aria-label="${words.categories}"><a class="button" href="/plain">${words.all}</a>${chosen}</div></form>
${products.length === 0 ? html`<p class="note">${words.nothing_found}</p>` : null}
<div class="grid">${cards}</div>
${next === null ? null : html`<p><a class="button" href="${next}">${words.more}</a></p>`}`;
}

/** What the page of a product shows of the API's answer. */
export type ShownProduct = Pick<
  Product,
  | "id"
  | "name"
  | "description"
  | "images"
  | "price"
  | "currency"
  | "available"
  | "group"
  | "recurring"
>;

type Priced = Pick<Product, "price" | "currency" | "recurring">;

function priceText(words: Words, lang: Lang, { price, currency, recurring }: Priced): string {
  const amount = createMoneyFormat(currency, { locale: localeOf(lang) })(price);
  return recurring ? `${amount} ${words[eachOf(recurring.interval)]}` : amount;
}

const productBody = (
  words: Words,
  lang: Lang,
  shown: ShownProduct | null,
): Html => html`<div data-page="product"><p><a href="/">← ${words.back_to_products}</a></p>
<p class="problem" id="problem" role="alert" hidden></p>
<div id="product" class="product-page">${shown && plainProduct(words, lang, shown)}</div></div>`;

/** Renders a product with links to its variants. The script puts the same in its place. */
function plainProduct(words: Words, lang: Lang, product: ShownProduct): Html {
  const { id, name, description, images, currency, available, group, recurring } = product;
  const money = createMoneyFormat(currency, { locale: localeOf(lang) });
  const variants = group?.variants ?? [];
  const names = (group?.options ?? []).map((option) => option.name).join(" · ");
  const links = variants.map((variant) => {
    const values = variant.options.map(({ value }) => value).join(" · ");
    const cost = variant.available ? money(variant.price) : words.sold_out.toLowerCase();
    const current = variant.id === id ? html`aria-current="true"` : null;
    return html`<li><a class="button" href="/products/${variant.slug}" ${current}><span>${values}
<small>${cost}</small></span></a></li>`;
  });
  const buy = recurring ? words.subscribe : words.buy;
  return html`<img src="${images[0] ?? "/images/none.svg"}" width="480" height="480" alt="">
<div class="words"><h1>${name}</h1><p class="price">${priceText(words, lang, product)}</p><p>${description}</p>
${variants.length < 2 ? null : html`<p class="note">${names}</p><nav class="variants" aria-label="${names}"><ul>${links}</ul></nav>`}
<noscript>${
    available
      ? html`<form method="post" action="/buy"><input type="hidden" name="product_id" value="${id}">
<button class="button primary">${buy}</button></form>`
      : html`<p class="note">${words.sold_out}</p>`
  }</noscript></div>`;
}

/** What the page of an order shows of its session. */
export interface ShownOrder {
  readonly currency: string;
  readonly amount_total: number;
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number;
    readonly amount_subtotal: number;
  }[];
  readonly order: { readonly number: number; readonly status: string } | null;
}

const orderBody = (
  words: Words,
  lang: Lang,
  shown: ShownOrder | null,
): Html => html`<div data-page="order" class="narrow"><p class="problem" id="problem" role="alert" hidden></p>
<div id="order" aria-live="polite"><h1>${words.your_order}</h1>
<p class="note">${words.one_moment}</p></div>
<noscript>${shown && plainOrder(words, lang, shown)}</noscript></div>`;

const orderTitles: Readonly<Record<string, keyof Words>> = {
  paid: "is_paid",
  pending: "is_pending",
  failed: "is_failed",
  refunded: "is_refunded",
};

function plainOrder(
  words: Words,
  lang: Lang,
  { order, currency, amount_total, line_items }: ShownOrder,
): Html {
  const money = createMoneyFormat(currency, { locale: localeOf(lang) });
  const number = order && filled(words.order, { number: String(order.number) });
  const lines = line_items.map(
    ({
      name,
      quantity,
      amount_subtotal,
    }) => html`<li><span class="what">${quantity} × ${name}</span>
<span class="price">${money(amount_subtotal)}</span></li>`,
  );
  return html`<div class="card"><h2>${words[orderTitles[order?.status ?? "pending"] ?? "your_order"]}</h2>
<p>${number}</p><ul class="lines">${lines}</ul>
<dl class="sums"><dt class="whole">${words.total}</dt><dd class="whole">${money(amount_total)}</dd></dl>
<p><a href="/plain">${words.back}</a></p></div>`;
}
