import { html, page } from "./html.ts";

/** The page of the shop. Its script is shop-page.ts. */
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
  page(
    "Canceled",
    html`<h1>Canceled</h1><p class="card">Nothing was paid. Your cart is still there. <a href="/">Back to the shop</a></p>`,
  );

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
