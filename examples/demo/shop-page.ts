// This file runs in the browser; script.ts bundles it at start-up. It knows the publishable key and
// calls /v1 like any other storefront.
import {
  type CheckoutSession,
  createClient,
  isStorefrontError,
  type Product,
} from "vitrine/client";
import { formatMoney } from "vitrine/money";

type Cart = Record<string, { readonly name: string; quantity: number }>;
interface Filter {
  readonly search?: string;
  readonly category?: string;
}

const root = document.getElementById("shop");
const el = <T extends HTMLElement = HTMLElement>(id: string): T => {
  const node = document.getElementById(id);
  if (!node) throw new Error(`The page has no #${id}.`);
  return node as T;
};
function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

function stored(): Cart {
  try {
    return JSON.parse(localStorage.getItem("cart") ?? "") || {};
  } catch {
    return {};
  }
}

function start(key: string): void {
  const api = createClient({ baseUrl: "/v1", key });
  const payButton = el<HTMLButtonElement>("pay");
  let cart = stored();
  let coupon = "";
  let cursor: string | null = null;
  let filter: Filter = {};
  let asked = new AbortController();
  let pricing: ReturnType<typeof setTimeout> | undefined;

  function tell(error: unknown): void {
    el("problem").hidden = error === null;
    el("problem").textContent = isStorefrontError(error)
      ? `${error.code}: ${error.message}`
      : String(error ?? "");
  }

  function card(product: Product): HTMLElement {
    const price = make("p", { className: "price" }, formatMoney(product.price, product.currency));
    if (product.compare_at_price)
      price.append(" ", make("s", {}, formatMoney(product.compare_at_price, product.currency)));
    const button = make("button", {
      disabled: !product.available,
      textContent: product.available ? "Add to cart" : "Sold out",
    });
    button.onclick = () => {
      cart[product.id] = { name: product.name, quantity: (cart[product.id]?.quantity ?? 0) + 1 };
      save();
    };
    const image = make("img", {
      src: product.images[0] ?? "/images/none.svg",
      alt: "",
      loading: "lazy",
    });
    const note = make("p", { className: "note" }, product.description ?? "");
    return make(
      "article",
      { className: "card" },
      image,
      make("h2", {}, product.name),
      note,
      price,
      button,
    );
  }

  async function load(more: boolean): Promise<void> {
    // A slow answer to an earlier search must not replace the answer to the last one.
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const page = await api.listProducts(
        { limit: 24, ...filter, ...(more && cursor ? { starting_after: cursor } : {}) },
        { signal },
      );
      if (!more) el("products").replaceChildren();
      el("products").append(...page.data.map(card));
      const shown = el("products").children.length;
      el("shown").textContent =
        shown === 0
          ? "Nothing found."
          : `${shown} ${shown === 1 ? "product" : "products"}${page.has_more ? ", more below" : ""}`;
      cursor = page.next_cursor;
      el("more").hidden = !page.has_more;
      tell(null);
    } catch (error) {
      if (!signal.aborted) tell(error);
    }
  }

  function save(): void {
    try {
      localStorage.setItem("cart", JSON.stringify(cart));
    } catch {
      // The browser allows no storage: the cart is lost with the page.
    }
    draw();
  }

  const items = () =>
    Object.entries(cart).map(([product_id, { quantity }]) => ({ product_id, quantity }));

  function draw(): void {
    const rows = Object.entries(cart).map(([id, line]) => {
      const step = (by: number, sign: string, label: string) => {
        const button = make("button", { textContent: sign, ariaLabel: `${label} ${line.name}` });
        button.onclick = () => {
          line.quantity += by;
          if (line.quantity < 1) delete cart[id];
          save();
        };
        return button;
      };
      const text = make("span", {}, `${line.quantity} × ${line.name}`);
      return make("li", {}, text, step(-1, "−", "One less of"), step(1, "+", "One more of"));
    });
    el("cart").replaceChildren(...rows);
    const count = items().reduce((sum, { quantity }) => sum + quantity, 0);
    payButton.disabled = count === 0;
    el("tobasket").hidden = count === 0;
    el("tobasket").textContent = `Cart · ${count}`;
    el("totals").textContent =
      count === 0 ? "Your cart is empty." : "The total is worked out at checkout.";
    clearTimeout(pricing);
    if (count > 0 && coupon) pricing = setTimeout(apply, 300);
  }

  const purchase = (): string => JSON.stringify([items(), coupon]);

  async function apply(): Promise<void> {
    const judged = purchase();
    try {
      const { data } = await api.validateCoupon({ code: coupon, items: items() });
      if (judged !== purchase()) return;
      el("totals").textContent = data.valid
        ? `${data.message} Total ${formatMoney(data.amount_total, data.currency)}, ${formatMoney(data.amount_discount, data.currency)} off.`
        : data.message;
      if (!data.valid) coupon = "";
      tell(null);
    } catch (error) {
      tell(error);
    }
  }

  const createSession = async (): Promise<CheckoutSession> => {
    // The client uses one key for its retries. This key is stored, so that a second click or a
    // reload makes no second session.
    const wanted = purchase();
    if (sessionStorage.getItem("purchase") !== wanted) {
      sessionStorage.setItem("purchase", wanted);
      sessionStorage.setItem("attempt", crypto.randomUUID());
    }
    const { data } = await api.createCheckoutSession(
      {
        items: items(),
        success_url: `${location.origin}/success?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${location.origin}/cancel`,
        ...(coupon ? { coupon_code: coupon } : {}),
      },
      { idempotencyKey: sessionStorage.getItem("attempt") ?? undefined },
    );
    sessionStorage.removeItem("purchase");
    return data;
  };

  async function pay(): Promise<void> {
    payButton.disabled = true;
    try {
      location.assign((await createSession()).checkout_url);
    } catch (error) {
      tell(error);
      payButton.disabled = items().length === 0;
      el("problem").scrollIntoView({ block: "nearest" });
    }
  }

  async function showCategories(): Promise<void> {
    const buttons: HTMLButtonElement[] = [];
    const add = (name: string, category: string | undefined) => {
      const button = make("button", { type: "button", textContent: name });
      button.setAttribute("aria-pressed", String(category === undefined));
      button.onclick = () => {
        filter = { ...filter, category };
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        void load(false);
      };
      buttons.push(button);
    };
    add("All", undefined);
    try {
      for await (const { name, slug } of api.listCategories()) add(name, slug);
      el("categories").append(...buttons);
    } catch (error) {
      tell(error);
    }
  }

  let typing: ReturnType<typeof setTimeout> | undefined;
  const search = el<HTMLInputElement>("search");
  search.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      filter = { ...filter, search: search.value.trim() || undefined };
      void load(false);
    }, 250);
  };
  el("filters").onsubmit = (event) => event.preventDefault();
  el("more").onclick = () => void load(true);
  el("coupon").onsubmit = (event) => {
    event.preventDefault();
    coupon = el<HTMLInputElement>("code").value.trim();
    if (coupon && items().length > 0) void apply();
    else draw();
  };
  payButton.onclick = () => void pay();
  // After "back" the browser may show this page as it was, with the button still disabled.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    cart = stored();
    draw();
  });
  void showCategories();
  void load(false);
  draw();
}

// The success page has no shop element: the cart was bought, and is emptied.
if (root) start(root.dataset["key"] ?? "");
else localStorage.removeItem("cart");
