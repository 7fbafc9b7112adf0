import { html, page } from "./html.ts";

/** The shop: it knows the publishable key and talks to /v1 like any other storefront. */
export const renderShop = (publishableKey: string): string =>
  page(
    "Shop",
    html`<div id="shop" data-key="${publishableKey}"><div><h1>Shop</h1><p class="hero">A storefront on the headless API, in test mode: nothing here moves real money.</p></div>
<form id="filters"><input type="search" id="search" placeholder="Search products" aria-label="Search products" maxlength="100"><div id="categories" role="group" aria-label="Categories"></div></form>
<p id="problem" role="alert" hidden></p><p id="shown" class="note" role="status"></p><div id="products" class="grid"></div><button id="more" hidden>Show more</button>
<aside class="card" id="basket" aria-label="Cart"><h2>Cart</h2><ul id="cart" class="list"></ul>
<form id="coupon"><input id="code" placeholder="Coupon" aria-label="Coupon" maxlength="100"><button>Apply</button></form><p id="totals" class="note" role="status"></p><button id="pay" disabled>Check out</button></aside><a id="tobasket" href="#basket" hidden></a></div><script src="/shop.js" type="module"></script>`,
  );

export const renderSuccess = (): string =>
  page(
    "Thank you",
    html`<h1>Thank you</h1><p class="card">Your payment was sent. This page releases nothing: the shop waits for the signed webhook. See <a href="/released">what was released</a>.</p><script src="/shop.js" type="module"></script>`,
  );

export const renderCancel = (): string =>
  page("Canceled", html`<h1>Canceled</h1><p class="card">Nothing was paid. Your cart is still there. <a href="/">Back to the shop</a></p>`);

export const shopScript = `
import { createClient } from "/client.js";

const root = document.getElementById("shop");
const api = root && createClient({ baseUrl: location.origin + "/v1", key: root.dataset.key });
const el = (id) => document.getElementById(id);
const make = (tag, props, ...children) => { const node = Object.assign(document.createElement(tag), props); node.append(...children); return node; };
const money = (amount, currency) => new Intl.NumberFormat(undefined, { style: "currency", currency }).format(amount / 100);
let cart = stored();
let coupon = "";
let cursor = null;
let filter = {};
let asked = 0;
let pricing;

function stored() {
  try { return JSON.parse(localStorage.getItem("cart")) || {}; } catch { return {}; }
}

function tell(error) {
  el("problem").hidden = !error;
  el("problem").textContent = error ? (error.code ? error.code + ": " : "") + error.message : "";
}

function card(product) {
  const price = make("p", { className: "price" }, money(product.price, product.currency));
  if (product.compare_at_price) price.append(" ", make("s", {}, money(product.compare_at_price, product.currency)));
  const button = make("button", { disabled: !product.available, textContent: product.available ? "Add to cart" : "Sold out" });
  button.onclick = () => { cart[product.id] = { name: product.name, quantity: ((cart[product.id] || {}).quantity || 0) + 1 }; save(); };
  return make("article", { className: "card" }, make("img", { src: product.images[0] || "/images/none.svg", alt: "", loading: "lazy" }), make("h2", {}, product.name), make("p", { className: "note" }, product.description || ""), price, button);
}

async function load(more) {
  const mine = ++asked;
  try {
    const answer = await api.listProducts({ limit: 24, ...filter, ...(more && cursor ? { starting_after: cursor } : {}) });
    // A slow answer to an earlier search must not replace the one to the last.
    if (mine !== asked) return;
    if (!more) el("products").replaceChildren();
    el("products").append(...answer.data.map(card));
    const shown = el("products").children.length;
    el("shown").textContent = shown === 0 ? "Nothing found." : shown + (shown === 1 ? " product" : " products") + (answer.has_more ? ", more below" : "");
    cursor = answer.next_cursor;
    el("more").hidden = !answer.has_more;
    tell(null);
  } catch (error) { if (mine === asked) tell(error); }
}

function save() {
  try { localStorage.setItem("cart", JSON.stringify(cart)); } catch { /* no storage: the cart lives as long as the page */ }
  draw();
}

const items = () => Object.entries(cart).map(([product_id, line]) => ({ product_id, quantity: line.quantity }));

function draw() {
  el("cart").replaceChildren(...Object.entries(cart).map(([id, line]) => {
    const step = (by, sign, label) => {
      const button = make("button", { textContent: sign, ariaLabel: label + " " + line.name });
      button.onclick = () => { line.quantity += by; if (line.quantity < 1) delete cart[id]; save(); };
      return button;
    };
    return make("li", {}, make("span", {}, line.quantity + " × " + line.name), step(-1, "−", "One less of"), step(1, "+", "One more of"));
  }));
  const count = items().reduce((sum, line) => sum + line.quantity, 0);
  el("pay").disabled = count === 0;
  el("tobasket").hidden = count === 0;
  el("tobasket").textContent = "Cart · " + count;
  el("totals").textContent = count === 0 ? "Your cart is empty." : "The total is worked out at checkout.";
  clearTimeout(pricing);
  if (count > 0 && coupon) pricing = setTimeout(apply, 300);
}

const purchase = () => JSON.stringify([items(), coupon]);

async function apply() {
  const judged = purchase();
  try {
    const answer = await api.validateCoupon({ code: coupon, items: items() });
    if (judged !== purchase()) return;
    el("totals").textContent = answer.valid ? answer.message + " Total " + money(answer.amount_total, answer.currency) + ", " + money(answer.amount_discount, answer.currency) + " off." : answer.message;
    if (!answer.valid) coupon = "";
    tell(null);
  } catch (error) { tell(error); }
}

async function pay() {
  el("pay").disabled = true;
  // One key for one purchase: kept over every retry, lost answers too, so that none makes a second session.
  const wanted = purchase();
  if (sessionStorage.getItem("purchase") !== wanted) { sessionStorage.setItem("purchase", wanted); sessionStorage.setItem("attempt", crypto.randomUUID()); }
  try {
    const session = await api.createCheckoutSession(
      { items: items(), success_url: location.origin + "/success?session={CHECKOUT_SESSION_ID}", cancel_url: location.origin + "/cancel", ...(coupon ? { coupon_code: coupon } : {}) },
      { idempotencyKey: sessionStorage.getItem("attempt") },
    );
    sessionStorage.removeItem("purchase");
    location.assign(session.checkout_url);
  } catch (error) { tell(error); el("pay").disabled = items().length === 0; el("problem").scrollIntoView({ block: "nearest" }); }
}

async function categories() {
  try {
    const { data } = await api.listCategories();
    const choose = (slug, button) => { filter = { ...filter, category: slug }; if (!slug) delete filter.category; for (const other of el("categories").children) other.setAttribute("aria-pressed", String(other === button)); load(false); };
    const buttons = [{ slug: "", name: "All" }, ...data].map(({ slug, name }) => { const button = make("button", { type: "button", textContent: name }); button.onclick = () => choose(slug, button); button.setAttribute("aria-pressed", String(slug === "")); return button; });
    el("categories").append(...buttons);
  } catch (error) { tell(error); }
}

function start() {
  let typing;
  el("search").oninput = (event) => { clearTimeout(typing); typing = setTimeout(() => { const search = event.target.value.trim(); filter = { ...filter, search }; if (!search) delete filter.search; load(false); }, 250); };
  el("filters").onsubmit = (event) => event.preventDefault();
  el("more").onclick = () => load(true);
  el("coupon").onsubmit = (event) => { event.preventDefault(); coupon = el("code").value.trim(); if (coupon && items().length) apply(); else draw(); };
  el("pay").onclick = pay;
  // Back from the checkout page the browser may show this page as it was left, its button still off.
  addEventListener("pageshow", (event) => { if (event.persisted) { cart = stored(); draw(); } });
  categories();
  load(false);
  draw();
}

// The success page has no shop on it: what was in the cart is bought.
if (root) start();
else localStorage.removeItem("cart");
`;

export const shopStyle = `
:root{color-scheme:light dark;--ink:#20202b;--soft:#6a6a79;--line:#dcdce6;--paper:#fff;--back:#f6f5f2;--brand:#7a3e1d}
@media(prefers-color-scheme:dark){:root{--ink:#f3f1ee;--soft:#a5a2ad;--line:#3a3843;--paper:#211f27;--back:#16141a;--brand:#e0a06e}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header{display:flex;justify-content:space-between;gap:1rem;padding:1rem 1.25rem;border-bottom:1px solid var(--line);background:var(--paper)}header a{color:inherit;text-decoration:none;font-weight:600}nav{display:flex;gap:1rem}
main{max-width:72rem;margin:0 auto;padding:1.25rem}#shop{display:grid;gap:1rem}@media(min-width:56rem){#shop{grid-template-columns:1fr 18rem}#shop>*{grid-column:1}#shop>aside{grid-column:2;grid-row:1/6;align-self:start;position:sticky;top:1rem}}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem}.card{background:var(--paper);border:1px solid var(--line);border-radius:14px;padding:1rem}
h1{margin:0 0 .3rem;font-size:1.5rem}article{display:flex;flex-direction:column}article img{width:100%;aspect-ratio:1;border-radius:10px}article h2{margin:.6rem 0 .2rem;font-size:1rem}article .note{flex:1}.price{font-weight:700;margin:.4rem 0}
.note,.hero,s{color:var(--soft);font-size:.9rem}.hero{margin:0}h2{margin:0 0 .5rem;font-size:1.1rem}.list{list-style:none;padding:0;margin:0;display:grid;gap:.5rem}.list#cart li{display:flex;gap:.4rem;align-items:center}#cart span{flex:1}#cart button{padding:.2rem .65rem}#shown{margin:0}
button,input{font:inherit;padding:.55rem .8rem;border-radius:9px;border:1px solid var(--line);background:var(--paper);color:inherit}button{cursor:pointer}button:disabled{opacity:.5;cursor:default}
#pay,article button{background:var(--brand);border-color:var(--brand);color:var(--paper);font-weight:600;width:100%}#search{width:100%;margin-bottom:.6rem}#categories{display:flex;flex-wrap:wrap;gap:.4rem}[aria-pressed=true]{border-color:var(--brand);font-weight:600}
#coupon{display:flex;gap:.4rem;margin:.8rem 0}#coupon input{min-width:0;flex:1}[hidden]{display:none!important}:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
#tobasket{position:sticky;bottom:1rem;justify-self:center;padding:.7rem 1.6rem;border-radius:99px;background:var(--brand);color:var(--paper);font-weight:700;text-decoration:none;box-shadow:0 4px 16px #0005}@media(min-width:56rem){#tobasket{display:none}}
#problem{background:#ffe3de;color:#7a1d0d;border-radius:10px;padding:.7rem 1rem;margin:0}
`;
