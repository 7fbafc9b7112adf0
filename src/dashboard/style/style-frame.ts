/** Styles the frame of the dashboard, its buttons and its forms. */
export const frameStyle = `
*, *::before, *::after { box-sizing: border-box; }
:root { --control: 2.5rem; --radius: 10px; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 400 .9375rem/1.5 var(--font); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, fieldset, legend {
  min-width: 0; margin: 0; padding: 0; border: 0;
}
ul, ol { list-style: none; }
img, svg { display: block; max-width: 100%; }
a { color: var(--brand-ink); text-underline-offset: .2em; }
:focus-visible {
  outline: 3px solid var(--brand-edge); outline-offset: 2px; border-radius: 4px;
}
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.soft, .lead { color: var(--soft); font-size: var(--text-s); }
.icon { width: 1.125rem; height: 1.125rem; flex: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: var(--space-4); top: var(--space-2); z-index: 9; background: var(--paper);
  padding: var(--space-2) var(--space-4); }

.mode-bar {
  padding: var(--space-1) var(--space-4); background: var(--warn-back); color: var(--warn);
  font-size: var(--text-s); font-weight: 600; text-align: center;
  border-bottom: 1px solid var(--line);
}
.mode-bar a { color: inherit; margin-inline-start: var(--space-2); }
.side { background: var(--paper); border-bottom: 1px solid var(--line);
  padding: var(--space-3) var(--space-4); }
.side-head { display: flex; align-items: center; gap: var(--space-3); }
.store {
  display: flex; flex: 1; min-width: 0; align-items: center; gap: var(--space-2);
  min-height: 2.75rem; color: inherit; font-weight: 650; text-decoration: none;
  line-height: 1.25;
}
.store img, .letter {
  width: 2rem; height: 2rem; flex: none; border-radius: 8px; object-fit: contain;
}
.letter {
  display: grid; place-items: center; background: var(--brand); color: var(--on-brand);
  font-weight: 700; text-transform: uppercase;
}
.modes {
  display: grid; grid-template-columns: 1fr 1fr; gap: 2px; padding: 3px;
  margin-top: var(--space-2);
  border-radius: var(--radius); background: var(--back); border: 1px solid var(--line);
}
.modes a {
  padding: .3rem var(--space-2); border-radius: 7px; color: var(--soft);
  font-size: var(--text-s); font-weight: 550; text-align: center; text-decoration: none;
}
.modes [aria-current] { background: var(--paper); color: var(--ink);
  box-shadow: 0 1px 3px rgb(0 0 0 / .16), 0 0 0 1px var(--line); }
nav[popover] {
  inset: 0 0 0 auto; height: 100%; width: min(20rem, 85vw); margin: 0; border: 0;
  padding: var(--space-4); background: var(--paper); color: inherit; overflow: auto;
  box-shadow: 0 0 3rem rgb(0 0 0 / .3);
}
nav[popover]::backdrop { background: rgb(0 0 0 / .4); }
#menu summary {
  margin-top: var(--space-1); padding: .35rem var(--space-2); border-radius: 8px;
  color: var(--soft); font-size: .75rem; font-weight: 600; letter-spacing: .02em; cursor: pointer;
}
#menu summary:hover { background: var(--back); }
nav#menu details[open] > summary { margin-bottom: 0; }
@media (min-width: 60rem) and (pointer: fine) {
  nav#menu li > a, nav#menu .actor { min-height: 1.75rem; padding-block: .15rem; }
  nav#menu .side-foot { margin-top: var(--space-2); padding-top: var(--space-2); }
}
#menu li > a, .side-foot li > a, .actor {
  display: flex; align-items: center; gap: var(--space-2); min-height: 2.25rem;
  padding: .35rem var(--space-2); border-radius: 8px; color: var(--ink); text-decoration: none;
}
#menu li > a:hover { background: var(--back); }
#menu .icon { color: var(--soft); }
#menu [aria-current] { background: var(--back); color: var(--brand-ink); font-weight: 600; }
#menu [aria-current] .icon { color: inherit; }
.side-foot { margin-top: var(--space-4); padding-top: var(--space-3);
  border-top: 1px solid var(--line); font-size: var(--text-s); }
.actor { color: var(--soft); }

main {
  width: 100%; max-width: 68rem; margin: 0 auto;
  padding: var(--space-5) var(--space-4) var(--space-7);
}
.crumbs ol { display: flex; flex-wrap: wrap; gap: var(--space-1); font-size: var(--text-s); }
.crumbs li::before { content: "‹"; margin-right: var(--space-1); color: var(--soft); }
.crumbs a { color: var(--soft); display: inline-block; padding: 2px 0; }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: var(--space-3); }
main > .crumbs + .head { margin-top: var(--space-1); }
main > .head + * { margin-top: var(--space-5); }
.head > div {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-3);
}
.lead { flex-basis: 100%; }
.lead:has(.badge) { flex-basis: auto; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 680; }
h2 { font-size: 1rem; line-height: 1.35; font-weight: 650; }
main > * + *, .card + .card { margin-top: var(--space-4); }
.card { padding: var(--space-5); border: 1px solid var(--line); border-radius: var(--radius-m);
  background: var(--paper); }
.card > h2 { margin-bottom: var(--space-4); }
.card > * + *, .field + .field { margin-top: var(--space-4); }
.card > h2 + * { margin-top: 0; }
.card h2 + p { margin-top: 0; }
.cards { display: grid; gap: var(--space-4); grid-template-columns: minmax(0, 1fr); }
.cards > .card + .card { margin-top: 0; }

.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--space-2);
  min-height: var(--control); padding: .4rem var(--space-4); border: 1px solid var(--edge);
  border-radius: var(--radius-s); background: var(--paper); color: var(--ink);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  overflow-wrap: break-word;
}
.button:hover { background: var(--back); }
.button.primary {
  border-color: var(--brand-edge); background: var(--brand); color: var(--on-brand);
}
.button.primary:hover { filter: brightness(.93); }
.button.danger { border-color: var(--bad); color: var(--bad); }
.button.small { min-height: 2rem; padding: .15rem var(--space-3); font-size: var(--text-s); }
.button[hidden] { display: none; }
.menu-button { padding: 0; width: 2.75rem; min-height: 2.75rem; }
.actions { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; }
.fields > .actions {
  position: sticky; bottom: 0; z-index: 2; margin-top: var(--space-4);
  padding: var(--space-3) 0;
  background: var(--back); border-top: 1px solid var(--line);
}
.card > form { margin-top: var(--space-4); }
.inline { display: inline-block; }
fieldset:disabled :is([data-add], noscript) { display: none; }
/* Boxes that would count for nothing are not offered. */
.field:has(#rights > option:not([value="some"]):checked) + details { display: none; }
.row { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: end; }
.row > .field { flex: 0 1 38rem; margin: 0; }
fieldset .row > .field { flex: 1 1 12rem; }
.card > form > .actions { margin-top: var(--space-4); }

.fields .card + .card { margin-top: var(--space-4); }
label, legend { display: block; font-size: var(--text-s); font-weight: 550; }
label .soft { font-weight: 400; }
.field > .soft { margin-bottom: 2px; }
fieldset.field:has(.row, .part, .tick) {
  padding-top: var(--space-3); border-top: 1px solid var(--line);
}
fieldset.field:first-of-type:nth-child(-n + 2) { padding-top: 0; border-top: 0; }
fieldset.field > legend { float: left; width: 100%; }
fieldset.field > legend + * { clear: both; }
fieldset.field .field label { font-weight: 450; }
fieldset.field > .row, fieldset.field > .part { margin-top: var(--space-2); }
input:not([type="checkbox"], [type="radio"]), select, textarea {
  display: block; width: 100%; max-width: 38rem; min-height: var(--control);
  margin-top: var(--space-1);
  padding: .4rem var(--space-3); border: 1px solid var(--edge); border-radius: var(--radius-s);
  background: var(--paper); color: inherit; font: inherit; font-size: max(16px, .9375rem);
}
input:disabled, select:disabled, textarea:disabled {
  background: var(--back); color: var(--soft); opacity: 1;
}
textarea { line-height: 1.45; resize: vertical; }
input[readonly] { font-family: var(--font-code); font-size: var(--text-s); }
.affix { position: relative; max-width: 16rem; }
.affix span {
  position: absolute; right: .8rem; top: 50%; transform: translateY(-50%);
  color: var(--soft); font-size: var(--text-s);
}
.tick {
  display: flex; align-items: flex-start; gap: var(--space-2); padding: .3rem 0;
  font-weight: 450; font-size: .9375rem;
}
.tick input {
  width: 1.15rem; height: 1.15rem; margin: .15rem 0 0; flex: none;
  accent-color: var(--brand-ink);
}
.search-row { display: flex; gap: var(--space-2); margin-bottom: var(--space-3); }
.search-row input { flex: 1; min-width: 0; }
.columns {
  display: grid; gap: 0 var(--space-4);
  grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr));
}
.scroll { max-height: 20rem; overflow: auto; }
.scroll ~ .field { margin-top: var(--space-3); }
[aria-invalid="true"] { border: 2px solid var(--bad) !important; }
.error {
  margin-top: var(--space-1); color: var(--bad); font-size: var(--text-s); font-weight: 550;
}
.part {
  padding: var(--space-4); border: 1px solid var(--line); border-radius: var(--radius-s);
  background: var(--back);
}
.part + .part { margin-top: var(--space-3); }
.part .field { margin: 0; }
.grid {
  display: grid; gap: var(--space-3);
  grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr));
}
`.trimStart();
