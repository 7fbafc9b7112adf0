import { type Client, isStorefrontError, type Product } from "vitrine/client";
import {
  type CartLine,
  cartItems,
  cartLines,
  refreshCart,
  reloadCart,
  setQuantity,
  watchCart,
} from "./cart.ts";
import { startCoupon } from "./coupon.ts";
import { el, make, picture } from "./dom.ts";
import { money } from "./money.ts";
import { hideProblem, showProblem } from "./problem.ts";
import { say } from "./say.ts";

/** Starts the cart: its button in the header, its panel, and the way to the checkout. */
export function startCart(api: Client): void {
  const panel = el<HTMLDialogElement>("cart");
  const payButton = el<HTMLButtonElement>("pay");
  const coupon = startCoupon(api);

  const draw = (): void => {
    const lines = cartLines();
    el("cart-count").textContent = String(lines.reduce((sum, { quantity }) => sum + quantity, 0));
    el("cart-empty").hidden = lines.length > 0;
    el("cart-full").hidden = lines.length === 0;
    el("cart-lines").replaceChildren(...lines.map(row));
    coupon.price();
  };

  const pay = async (): Promise<void> => {
    payButton.disabled = true;
    hideProblem("cart-problem");
    try {
      location.assign(await openCheckout(api, coupon.code()));
    } catch (error) {
      payButton.disabled = false;
      void refresh(api);
      showProblem("cart-problem", error, pay);
    }
  };

  el("open-cart").onclick = () => {
    panel.showModal();
    void refresh(api);
  };
  el("close-cart").onclick = () => panel.close();
  panel.onclick = ({ target }) => {
    if (target === panel) panel.close();
  };
  payButton.onclick = () => void pay();
  watchCart(draw);
  addEventListener("storage", reloadCart);
  // After "back" the browser may show this page as it was, with the button still disabled.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    payButton.disabled = false;
    reloadCart();
  });
  draw();
}

function row(line: CartLine): HTMLElement {
  const { id, name, quantity, price, currency } = line;
  const step = (text: string, label: string, to: number): HTMLElement => {
    const className = to === 0 && text !== "−" ? "button quiet" : "button";
    const button = make("button", { type: "button", className, textContent: text });
    button.setAttribute("aria-label", `${label} ${name}`);
    button.onclick = () => {
      setQuantity(id, to);
      focusAgain(`${label} ${name}`);
    };
    return button;
  };
  const steps = make(
    "div",
    { className: "steps" },
    step("−", say("one_less"), quantity - 1),
    make("span", {}, String(quantity)),
    step("+", say("one_more"), quantity + 1),
    step(say("remove"), say("remove"), 0),
  );
  const link = make("a", { href: `/products/${line.slug}`, textContent: name });
  const soldOut = line.available ? [] : [make("p", { className: "bad" }, say("sold_out"))];
  return make(
    "li",
    {},
    picture(line.image, 64),
    make("div", { className: "what" }, link, ...soldOut, steps),
    make("span", { className: "price" }, money(price * quantity, currency)),
  );
}

/** Restores the focus after the rows are drawn anew, by finding the button with the same label. */
function focusAgain(label: string): void {
  const button = document.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`);
  (button ?? el("close-cart")).focus();
}

/** Asks for the products in the cart, whose prices may have changed since they were put there. */
async function refresh(api: Client): Promise<void> {
  const ask = async (id: string): Promise<readonly [string, Product | null | undefined]> => {
    try {
      return [id, (await api.getProduct({ id_or_slug: id })).data];
    } catch (error) {
      const isGone = isStorefrontError(error) && error.code === "resource_not_found";
      return [id, isGone ? null : undefined];
    }
  };
  const answers = await Promise.all(cartLines().map(({ id }) => ask(id)));
  refreshCart(
    new Map(
      answers.flatMap(([id, product]) => (product === undefined ? [] : [[id, product] as const])),
    ),
  );
}

async function openCheckout(api: Client, coupon_code: string): Promise<string> {
  // The client uses one key for its retries. This key is stored, so that a second click or a
  // reload makes no second session.
  const wanted = JSON.stringify([cartItems(), coupon_code]);
  if (sessionStorage.getItem("purchase") !== wanted) {
    sessionStorage.setItem("purchase", wanted);
    sessionStorage.setItem("attempt", crypto.randomUUID());
  }
  const { data } = await api.createCheckoutSession(
    {
      items: cartItems(),
      success_url: `${location.origin}/success?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${location.origin}/cancel`,
      ...(coupon_code ? { coupon_code } : {}),
    },
    { idempotencyKey: sessionStorage.getItem("attempt") ?? undefined },
  );
  sessionStorage.removeItem("purchase");
  return data.checkout_url;
}
