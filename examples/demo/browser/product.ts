import type { Client, Product } from "vitrine/client";
import { eachOf } from "../words.ts";
import { addToCart } from "./cart.ts";
import { el, make, picture } from "./dom.ts";
import { money } from "./money.ts";
import { showProblem } from "./problem.ts";
import { say } from "./say.ts";

const toastMs = 3_000;
let toast: ReturnType<typeof setTimeout> | undefined;

/** Makes the card of a product for the list of the shop. */
export function productCard(product: Product): HTMLElement {
  const href = `/products/${product.slug}`;
  // Keyboards and screen readers skip this link, because the name below links to the same page.
  const shown = make("a", { href, tabIndex: -1 }, picture(product.images[0], 300));
  shown.setAttribute("aria-hidden", "true");
  const name = make("h2", {}, make("a", { href, textContent: product.name }));
  const act = product.group ? chooseLink(product, href) : actOn(product);
  return make("article", { className: "product" }, shown, name, price(product, true), act);
}

/** Shows the product that the page's address names. */
export async function startProductPage(api: Client): Promise<void> {
  const id_or_slug = decodeURIComponent(location.pathname.replace("/products/", ""));
  try {
    const { data: product } = await api.getProduct({ id_or_slug });
    document.title = `${product.name} · Armazém Vitrine`;
    const words = make(
      "div",
      { className: "words" },
      make("h1", {}, product.name),
      price(product),
      make("p", {}, product.description ?? ""),
      ...chooser(product),
      actOn(product),
    );
    el("product").replaceChildren(picture(product.images[0], 480), words);
  } catch (error) {
    showProblem("problem", error, () => startProductPage(api));
  }
}

/** Shows what a product costs. The card of a group that has several prices shows the lowest. */
function price(product: Product, isCard = false): HTMLElement {
  const { price, compare_at_price, currency, group, recurring } = product;
  const { price_from: from = price, price_to: to = price } = group ?? {};
  const words =
    isCard && from < to ? say("from", { price: money(from, currency) }) : money(price, currency);
  const each = recurring ? ` ${say(eachOf(recurring.interval))}` : "";
  const shown = make("p", { className: "price" }, words + each);
  if (isCard && from < to) return shown;
  if (compare_at_price) shown.append(" ", make("s", {}, money(compare_at_price, currency)));
  return shown;
}

/** Leads from the card of a group to the page on which a buyer chooses a variant. */
function chooseLink({ name, group }: Product, href: string): HTMLElement {
  const words = group?.available === false ? say("sold_out") : say("choose");
  const about = make("span", { className: "unseen" }, `: ${name}`);
  return make("a", { href, className: "button" }, make("span", {}, words, about));
}

/** Links to the variants of a product. The server's page has the same links without a script. */
function chooser({ id, currency, group }: Product): HTMLElement[] {
  const variants = group?.variants ?? [];
  if (variants.length < 2) return [];

  const links = variants.map((variant) => {
    const words = variant.options.map(({ value }) => value).join(" · ");
    const cost = variant.available ? money(variant.price, currency) : say("sold_out").toLowerCase();
    const label = make("span", {}, `${words} `, make("small", {}, cost));
    const link = make("a", { href: `/products/${variant.slug}`, className: "button" }, label);
    if (variant.id === id) link.setAttribute("aria-current", "true");
    return make("li", {}, link);
  });
  const names = (group?.options ?? []).map(({ name }) => name).join(" · ");
  const nav = make("nav", { className: "variants" }, make("ul", {}, ...links));
  nav.setAttribute("aria-label", names);
  return [make("p", { className: "note" }, names), nav];
}

/** What a buyer does with a product: a subscription is bought alone, without the cart. */
function actOn(product: Product): HTMLElement {
  const { id, available, recurring } = product;
  if (!recurring || !available) return addButton(product);

  const field = make("input", { type: "hidden", name: "product_id", value: id });
  const button = make("button", { className: "button primary" }, say("subscribe"));
  return make("form", { method: "post", action: "/buy" }, field, button);
}

/** Makes a button whose label for screen readers names the product. */
function addButton(product: Product): HTMLElement {
  const { name, available } = product;
  const hidden = (text: string): HTMLElement => make("span", { className: "unseen" }, text);
  const words = available
    ? make("span", {}, `${say("add")} `, hidden(`${name} `), say("to_cart"))
    : make("span", {}, say("sold_out"), hidden(`: ${name}`));
  const props = { type: "button", className: "button primary", disabled: !available } as const;
  const button = make("button", props, words);
  button.onclick = () => {
    addToCart(product);
    tell(say("in_cart", { name }));
  };
  return button;
}

function tell(text: string): void {
  clearTimeout(toast);
  el("added").textContent = text;
  toast = setTimeout(() => el("added").replaceChildren(), toastMs);
}
