/** Styles the search of everything, its results and the list of shortcuts. */
export const searchStyle = `
.find { position: relative; margin-top: var(--space-2); }
.find input { max-width: none; min-height: 2.25rem; margin: 0; padding-right: 2.25rem; }
kbd {
  display: inline-block; min-width: 1.5rem; padding: 0 .35rem; border: 1px solid var(--line);
  border-bottom-width: 2px; border-radius: 5px; background: var(--back); color: var(--soft);
  font: .8125rem/1.4rem var(--font-code); text-align: center;
}
.find > kbd { position: absolute; right: .45rem; top: .4rem; pointer-events: none; }
.find input:focus + kbd, .find input:not(:placeholder-shown) + kbd { display: none; }
.found {
  inset: auto; width: min(30rem, calc(100vw - 1rem)); max-height: 70vh; margin: 0; overflow: auto;
  padding: var(--space-3); border: 1px solid var(--edge); border-radius: var(--radius-m);
  background: var(--paper); color: inherit; box-shadow: 0 .5rem 2rem rgb(0 0 0 / .25);
}
.results > section { margin-top: var(--space-3); }
.results h2 { color: var(--soft); font-size: .8125rem; font-weight: 600; }
.hits a {
  display: block; padding: .4rem var(--space-2); border-radius: var(--radius-s); color: inherit;
  text-decoration: none;
}
.hits a:hover, .hits a:focus { background: var(--back); }
.hits a:not(:has(strong)) { color: var(--brand-ink); font-size: var(--text-s); }
.hits strong { font-weight: 600; }
.hits small { display: block; color: var(--soft); font-size: .8125rem; }
a[href="#shortcuts"] { display: inline-flex; align-items: center; gap: var(--space-2); }
dialog {
  max-width: min(28rem, calc(100vw - 2rem)); padding: var(--space-5); color: inherit;
  border: 1px solid var(--line); border-radius: var(--radius-m); background: var(--paper);
}
dialog:target { display: block; position: fixed; inset: 0; z-index: 9; height: fit-content; }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog > dl { margin: var(--space-4) 0; }
dialog > dl > div { display: flex; gap: var(--space-4); padding: .25rem 0; }
dialog dt { flex: 0 0 5rem; }
@media (max-width: 59.99rem) { .side-foot li > a[href="#shortcuts"] { display: none; } }
`.trimStart();
