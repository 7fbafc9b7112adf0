/** Styles notices, lists and what changes with the width of the page. */
export const partsStyle = `
.notice {
  padding: var(--space-3) var(--space-4); border-radius: var(--radius-s);
  font-size: var(--text-s);
  font-weight: 500; border: 1px solid transparent; }
.notice + * { margin-top: var(--space-4); }
.notice.good { background: var(--good-back); color: var(--good); }
.notice.bad { background: var(--bad-back); color: var(--bad); }
.notice.warn { background: var(--warn-back); color: var(--warn); }
.notice.plain { background: var(--paper); color: var(--ink); border-color: var(--line); }
.notice ul { margin-top: var(--space-1); padding-left: 1.1em; list-style: disc; }
.notice a { color: inherit; }
.badge {
  display: inline-block; padding: .05rem .55rem; border-radius: 99px; font-size: .8125rem;
  font-weight: 600; overflow-wrap: break-word; background: var(--back); color: var(--soft);
  box-shadow: inset 0 0 0 1px var(--line);
}
.badge.good { background: var(--good-back); color: var(--good); box-shadow: none; }
.badge.bad { background: var(--bad-back); color: var(--bad); box-shadow: none; }
.badge.warn { background: var(--warn-back); color: var(--warn); box-shadow: none; }

.pager { display: flex; gap: var(--space-3); margin-top: var(--space-4); }
.tools {
  display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between;
  gap: 0 var(--space-4);
}
.tools > div { display: contents; }
.tools .search-form { flex: 1 1 100%; min-width: 0; }
.tools .filters, .tools .search-form:only-child { flex: 1 1 20rem; }
.tools > .files { display: flex; flex-wrap: wrap; gap: var(--space-2); }
.tools > :is(.button, .files) { margin: 0 0 var(--space-4) auto; }
.tools + .table { margin-top: 0; }
.empty {
  padding: var(--space-7) var(--space-5); border: 1px dashed var(--edge);
  border-radius: var(--radius-m);
  background: var(--paper); text-align: center; }
.empty p { max-width: 34rem; margin: var(--space-2) auto var(--space-4); color: var(--soft); }
.facts {
  display: grid; gap: var(--space-3) var(--space-5);
  grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr));
}
.facts dt { color: var(--soft); font-size: .8125rem; }
.code-box > div { display: flex; flex-wrap: wrap; gap: 0 var(--space-2); max-width: 44rem; }
.code-box input { flex: 1 1 9rem; min-width: 0; }
.code-box .button { margin-top: var(--space-1); flex: none; }
pre {
  margin: var(--space-2) 0 0; padding: var(--space-3); border-radius: var(--radius-s);
  background: var(--back);
  font: var(--text-s)/1.5 var(--font-code); white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: var(--font-code); font-size: .875em; }
time {
  position: relative; text-decoration: underline dotted var(--edge);
  text-underline-offset: .25em;
}
time:hover::after, time:focus::after {
  content: attr(data-utc); position: absolute; z-index: 5; left: 0; top: 100%;
  padding: .15rem .5rem;
  border-radius: 6px; background: var(--ink); color: var(--paper); font-size: .8125rem;
  white-space: nowrap;
}
.filters { display: flex; flex-wrap: wrap; gap: var(--space-1); margin-bottom: var(--space-4); }
.filters a {
  padding: .25rem var(--space-3); border-radius: 99px; color: var(--soft);
  font-size: var(--text-s);
  font-weight: 550; text-decoration: none; border: 1px solid var(--line);
  background: var(--paper);
}
.filters [aria-current] {
  background: var(--ink); color: var(--paper); border-color: var(--ink);
}
.steps { counter-reset: step; }
.steps li {
  display: flex; gap: var(--space-4); align-items: flex-start; padding: var(--space-4) 0;
}
.steps li + li { border-top: 1px solid var(--line); }
.steps li::before {
  counter-increment: step; content: counter(step); display: grid; place-items: center;
  flex: none;
  width: 1.75rem; height: 1.75rem; border: 1px solid var(--edge); border-radius: 50%;
  font-size: var(--text-s); font-weight: 650;
}
.steps .ticked::before {
  content: "✓"; border-color: var(--good); background: var(--good-back); color: var(--good);
}
.steps .ticked h3 { color: var(--soft); font-weight: 500; }
.steps div { flex: 1; }
.steps h3 { font-size: .9375rem; font-weight: 650; }
.steps p { color: var(--soft); font-size: var(--text-s); }
progress { width: 100%; height: .5rem; accent-color: var(--brand-ink); }

.whole > div + div { margin-top: var(--space-4); }

@media (max-width: 44.99rem) {
  .head > .button { width: 100%; }
  .card { padding: var(--space-4); }
  time:hover::after, time:focus::after { left: auto; right: 0; }
}
@media (min-width: 80rem) {
  .whole.sided {
    display: grid; grid-template-columns: minmax(0, 1fr) min(20rem, 40%); gap: var(--space-4);
    align-items: start;
  }
  .whole > div .card + .card { margin-top: var(--space-4); }
  .whole.sided > div:last-child { margin-top: 0; position: sticky; top: var(--space-4); }
}
@media (min-width: 60rem) {
  .frame { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); min-height: 100vh; }
  .side {
    position: sticky; top: 0; display: flex; flex-direction: column; max-height: 100vh;
    overflow: auto;
    border: 0; border-right: 1px solid var(--line); padding: var(--space-4) var(--space-3); }
  .menu-button { display: none; }
  nav[popover] {
    display: flex; flex-direction: column; flex: 1; position: static; width: auto;
    height: auto; padding: var(--space-3) 0 0;
    box-shadow: none; overflow: visible; }
  #menu ul:first-of-type h2 { margin-top: 0; }
  .side-foot { margin-top: auto; }
  main { padding: var(--space-6) var(--space-6) var(--space-5); }
}
body.plain { display: grid; place-items: center; min-height: 100vh; }
body.plain main {
  max-width: 30rem; margin: var(--space-4); padding: var(--space-6);
  border: 1px solid var(--line);
  border-radius: var(--radius-m); background: var(--paper); width: calc(100% - 2rem); }
body.plain main > * + * { margin-top: var(--space-4); }
@media (forced-colors: active) { [aria-current] { outline: 2px solid Highlight; } }
`.trimStart();
