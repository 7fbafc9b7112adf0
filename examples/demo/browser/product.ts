import type { Client, Product } from "vitrine/client";
import { addToCart } from "./cart.ts";
import { el, make, picture } from "./dom.ts";
import { money } from "./money.ts";
import { showProblem } from "./problem.ts";

const toastMs = 3_000;
let toast: ReturnType<typeof setTimeout> | undefined;

/** Makes the card of a product for the list of the shop. */
export function productCard(product: Product): HTMLElement {
  const href = `/products/${product.slug}`;
  // Keyboards and screen readers skip this link, because the name below links to the same page.
  const shown = make("a", { href, tabIndex: -1 }, picture(product.images[0], 300));
  shown.setAttribute("aria-hidden", "true");
  const name = make("h2", {}, make("a", { href, textContent: product.name }));
  return make("article", { className: "product" }, shown, name, price(product), addButton(product));
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
      addButton(product),
    );
    el("product").replaceChildren(picture(product.images[0], 480), words);
  } catch (error) {
    showProblem("problem", error, () => startProductPage(api));
  }
}

function price({ price, compare_at_price, currency }: Product): HTMLElement {
  const shown = make("p", { className: "price" }, money(price, currency));
  if (compare_at_price) shown.append(" ", make("s", {}, money(compare_at_price, currency)));
  return shown;
}

/** Makes a button whose label for screen readers names the product. */
function addButton(product: Product): HTMLElement {
  const { name, available } = product;
  const hidden = (text: string): HTMLElement => make("span", { className: "unseen" }, text);
  const words = available
    ? make("span", {}, "Add ", hidden(`${name} `), "to cart")
    : make("span", {}, "Sold out", hidden(`: ${name}`));
  const props = { type: "button", className: "button primary", disabled: !available } as const;
  const button = make("button", props, words);
  button.onclick = () => {
    addToCart(product);
    say(`${name} is in your cart.`);
  };
  return button;
}

function say(text: string): void {
  clearTimeout(toast);
  el("added").textContent = text;
  toast = setTimeout(() => el("added").replaceChildren(), toastMs);
}
