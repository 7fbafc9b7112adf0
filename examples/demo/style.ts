import { brandTokens } from "../../src/contract/brand.ts";
import { tokens } from "../../src/contract/tokens.ts";

/** It colours the shop, the checkout page and the dashboard's buttons. */
export const brandColor = "#0f6b4f";

/** It is the style sheet of the shop, which uses the same tokens as the checkout page. */
export const shopStyle = `${tokens}
${brandTokens(brandColor)}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 400 var(--text-m)/1.5 var(--font); overflow-wrap: anywhere;
}
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
img { display: block; max-width: 100%; height: auto; }
a { color: var(--brand-ink); text-underline-offset: .2em; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--brand-edge); outline-offset: 2px; border-radius: 4px; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: var(--text-l); line-height: 1.3; }
code { font-family: var(--font-code); font-size: .9em; }
.note, s { color: var(--soft); font-size: var(--text-s); }
.row { display: flex; align-items: center; gap: var(--space-3); }
.row > :first-child { flex: 1; min-width: 0; }

.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}

.test-mode {
  padding: var(--space-1) var(--space-4); background: var(--warn-back); color: var(--warn);
  font-size: var(--text-s); font-weight: 600; text-align: center;
}
.top {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center;
  gap: var(--space-2) var(--space-5); padding: var(--space-2) var(--space-4);
  border-bottom: 1px solid var(--line); background: var(--paper);
}
.brand { margin-right: auto; color: inherit; font-size: 1.125rem; font-weight: 700; text-decoration: none; }
nav { display: flex; flex-wrap: wrap; flex-basis: 100%; gap: 0 var(--space-4); }
nav a { padding: var(--space-1) 0; color: var(--soft); font-size: var(--text-s); text-decoration: none;
  white-space: nowrap; }
nav a:hover { color: var(--ink); text-decoration: underline; }
.count {
  min-width: 1.6em; padding: 0 .45em; border-radius: 99px; background: var(--back);
  font-size: var(--text-s); font-variant-numeric: tabular-nums; text-align: center;
}
main { max-width: 76rem; margin: 0 auto; padding: var(--space-5) var(--space-4) var(--space-7); }
main > * > * + *, .card > * + * { margin-top: var(--space-4); }
.narrow { max-width: 40rem; margin: 0 auto; }
.card {
  padding: var(--space-5); border: 1px solid var(--line); border-radius: var(--radius-m);
  background: var(--paper);
}
.list { display: grid; gap: var(--space-3); }

.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--space-2);
  min-height: 2.75rem; padding: var(--space-1) var(--space-4); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: var(--ink);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--back); }
.button:disabled { border-color: var(--line); background: var(--back); color: var(--soft); cursor: default; }
.button.primary:not(:disabled) {
  border-color: var(--brand-edge); background: var(--brand); color: var(--on-brand);
}
.button.primary:not(:disabled):hover { filter: brightness(.94); }
.button.quiet { border-color: transparent; background: none; color: var(--brand-ink); font-weight: 500; }
input {
  width: 100%; min-height: 2.75rem; padding: var(--space-1) var(--space-3);
  border: 1px solid var(--edge); border-radius: var(--radius-s);
  background: var(--paper); color: inherit; font: inherit; font-size: max(16px, 1rem);
}
select {
  min-height: 2.75rem; padding: var(--space-1) var(--space-3); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: inherit; font: inherit; font-size: max(16px, 1rem);
}
.sorting { align-items: center; gap: var(--space-2); margin-top: var(--space-3); color: var(--soft); }
input::placeholder { color: var(--soft); opacity: 1; }
.problem {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4);
  padding: var(--space-3) var(--space-4); border-radius: var(--radius-s);
  background: var(--bad-back); color: var(--bad); font-weight: 500;
}
.good { color: var(--good); font-weight: 500; }
.bad { color: var(--bad); font-weight: 500; }

#categories { display: flex; gap: var(--space-2); min-height: 3.25rem; padding: 3px; margin: var(--space-3) -3px 0; overflow-x: auto; }
#filters + .grid, #filters + .note { margin-top: var(--space-4); }
#categories .button { flex: none; border-radius: 99px; font-weight: 500; }
#categories .found { min-width: 1.25rem; margin-left: var(--space-2); color: var(--soft); font-variant-numeric: tabular-nums; }
#categories [aria-pressed="true"] .found { color: inherit; }
#categories .empty { color: var(--soft); }
#categories [aria-pressed="true"] { border-color: var(--ink); background: var(--ink); color: var(--paper); }
#shown { min-height: 1.5em; margin-top: var(--space-3); }
.grid {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr));
  align-content: start; gap: var(--space-4); min-height: 100vh;
}
.product { position: relative; display: flex; flex-direction: column; gap: var(--space-2); padding: var(--space-2); border: 1px solid var(--line); border-radius: var(--radius-m); background: var(--paper); }
.product img { width: 100%; border-radius: var(--radius-s); }
.product h2 { flex: 1; padding: 0 var(--space-1); font-size: var(--text-m); font-weight: 600; }
.product h2 a { color: inherit; text-decoration: none; }
.product:hover h2 a { text-decoration: underline; }
.product .price { padding: 0 var(--space-1); }
.price { font-weight: 700; font-variant-numeric: tabular-nums; }
.price s { font-weight: 400; }
#more { display: flex; margin: var(--space-5) auto 0; }

.product-page { display: grid; gap: var(--space-5); min-height: 60vh; align-items: start; }
.product-page img { width: 100%; border-radius: var(--radius-m); }
.product-page .words > * + * { margin-top: var(--space-4); }
.product-page .price { font-size: var(--text-l); }
.product-page .button { width: 100%; min-height: 3.25rem; }
.variants ul { display: flex; flex-wrap: wrap; gap: var(--space-2); margin: 0; padding: 0; list-style: none; }
.product-page .variants .button { width: auto; min-height: 2.75rem; }
.variants [aria-current] { outline: 2px solid currentColor; outline-offset: -2px; }

.lines li { display: flex; align-items: center; gap: var(--space-3); padding: var(--space-3) 0; border-bottom: 1px solid var(--line); }
.lines img { width: 4rem; height: 4rem; flex: none; border-radius: var(--radius-s); }
.lines .what { flex: 1; min-width: 0; font-weight: 500; }
.lines .price { white-space: nowrap; }
.steps { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1); margin-top: var(--space-1); }
.steps .button { min-width: 2rem; min-height: 2rem; padding: 0 var(--space-2); }
.steps .button.quiet { padding: 0 var(--space-1); font-size: var(--text-s); text-decoration: underline; }
.steps span { min-width: 1.75em; text-align: center; font-variant-numeric: tabular-nums; }
.sums { display: grid; grid-template-columns: 1fr auto; gap: var(--space-1) var(--space-4); margin: var(--space-4) 0; }
.sums dd { text-align: right; font-variant-numeric: tabular-nums; }
.sums .whole { font-size: 1.125rem; font-weight: 700; }

#cart {
  width: min(26rem, 100%); max-width: none; height: 100%; max-height: none; margin: 0 0 0 auto;
  padding: var(--space-4); border: 0; border-left: 1px solid var(--line);
  background: var(--paper); color: inherit;
}
#cart::backdrop { background: rgb(0 0 0 / .45); }
#coupon { margin-top: var(--space-4); }
#coupon-answer { min-height: 1.5em; margin-top: var(--space-1); font-size: var(--text-s); }
#pay { width: 100%; min-height: 3.25rem; }
.toast {
  position: fixed; bottom: var(--space-4); left: 50%; z-index: 2; width: max-content;
  max-width: calc(100% - 2rem); padding: var(--space-3) var(--space-4); translate: -50% 0;
  border-radius: var(--radius-s); background: var(--ink); color: var(--paper);
  font-weight: 500; box-shadow: 0 6px 24px rgb(0 0 0 / .3);
}
.toast:empty { visibility: hidden; }
.badge { padding: .1em .7em; border-radius: 99px; background: var(--warn-back); color: var(--warn); font-size: var(--text-s); font-weight: 600; }
.badge.paid { background: var(--good-back); color: var(--good); }
.badge.failed { background: var(--bad-back); color: var(--bad); }
summary { cursor: pointer; }
details .list { margin-top: var(--space-3); }

@media (min-width: 40rem) {
  nav { flex-basis: auto; order: -1; margin-right: auto; }
  .brand { order: -2; margin-right: 0; }
  .grid { grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: var(--space-5); }
  .product-page { grid-template-columns: minmax(0, 30rem) minmax(0, 26rem); gap: var(--space-7); }
}
`;
