/** Makes each row a card, in which each cell names its column. */
const cards = `
  thead {
    position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden;
  }
  thead:is(:focus-within, :has(a)) {
    position: static; clip-path: none; width: auto; height: auto; overflow: visible;
  }
  thead:has(a), thead:has(a) th { display: block; }
  thead:has(a) tr {
    display: flex; flex-wrap: wrap; gap: 0 var(--space-4); background: var(--back);
    border-bottom: 1px solid var(--line); border-radius: var(--corner) var(--corner) 0 0;
  }
  thead:has(a) th { padding: 0; border: 0; }
  thead:has(a) th:not(:has(a)) { display: none; }
  thead th a { display: inline-block; padding: var(--space-2) 0; }
  table, tbody, tr, td { display: block; }
  tr { padding: var(--space-3) var(--space-4); }
  tr + tr { border-top: 1px solid var(--line); }
  tr + tr td { border: 0; }
  td, td.amount {
    display: flex; justify-content: space-between; gap: var(--space-4); padding: .2rem 0;
    text-align: right; white-space: normal;
  }
  td:first-child { text-align: left; font-size: 1rem; }
  td > div { min-width: 0; }
  td:not(:first-child)::before {
    content: attr(data-column); flex: none; color: var(--soft); font-size: var(--text-s);
    font-weight: 400; text-align: left;
  }
  td:empty { display: none; }
  time:hover::after, time:focus::after { left: auto; right: 0; }`;

/** Styles tables, which become cards wherever they have little room. */
export const tableStyle = `
.table {
  --corner: calc(var(--radius-m) - 1px);
  container: table / inline-size; border: 1px solid var(--line);
  border-radius: var(--radius-m); background: var(--paper);
}
.table.wide { container-name: wide; }
.card > .table { --corner: calc(var(--radius-s) - 1px); border-radius: var(--radius-s); }
table { width: 100%; border-collapse: collapse; }
th {
  padding: .55rem var(--space-4); color: var(--soft); font-size: .8125rem; font-weight: 600;
  text-align: left; white-space: nowrap;
  border-bottom: 1px solid var(--line); background: var(--back);
}
th a { color: inherit; text-decoration-color: var(--edge); }
th[aria-sort] a { color: var(--ink); }
th[aria-sort] a::after { content: " \u2193"; }
th[aria-sort="ascending"] a::after { content: " \u2191"; }
td {
  padding: .7rem var(--space-4); vertical-align: middle; font-variant-numeric: tabular-nums;
}
td > div { min-width: 5rem; }
tr + tr td { border-top: 1px solid var(--line); }
tbody tr:hover td { background: var(--back); }
th:first-child { border-top-left-radius: var(--corner); }
th:last-child { border-top-right-radius: var(--corner); }
tr:last-child td:first-child { border-bottom-left-radius: var(--corner); }
tr:last-child td:last-child { border-bottom-right-radius: var(--corner); }
td > div > a:first-child, .thing a {
  color: inherit; font-weight: 600; text-decoration-color: var(--edge);
}

/* The link of the first cell covers its whole row. Other controls lie above it. */
tbody tr { position: relative; }
td:first-child > div > a:first-child::after, td:first-child .thing a::after {
  content: ""; position: absolute; inset: 0;
}
td:not(:first-child) a, td:first-child a:not(:first-child), td :is(button, summary, time, input) {
  position: relative; z-index: 1;
}
td time:is(:hover, :focus) { z-index: 6; }
.state { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
.switch {
  width: 2.75rem; height: 1.5rem; padding: 0; border: 1px solid var(--edge); border-radius: 99px;
  background: var(--back); cursor: pointer; vertical-align: middle;
}
.switch::before {
  content: ""; display: block; width: 1.125rem; height: 1.125rem; margin-left: 2px;
  border-radius: 50%; background: var(--soft);
}
.switch[aria-checked="true"] { background: var(--brand); border-color: var(--brand-edge); }
.switch[aria-checked="true"]::before {
  margin-left: calc(2.75rem - 1.125rem - 4px); background: var(--on-brand);
}
@media (forced-colors: active) {
  .switch::before { background: ButtonText; forced-color-adjust: none; }
}
td code { font-size: .8125rem; }
.variants td :is(input:not([type="checkbox"]), .affix) { width: 100%; min-width: 6rem; }
.variants + .actions { margin-top: var(--space-4); }
.variants td p { margin: var(--space-1) 0 0; }
.variants td .tick { justify-content: flex-end; }
.thing { display: flex; align-items: center; gap: var(--space-3); }
.thing img, .thing .blank {
  width: 2.5rem; height: 2.5rem; flex: none; border-radius: var(--radius-s);
  object-fit: cover; background: var(--back); border: 1px solid var(--line); }
.choose { width: 1.5rem; height: 1.5rem; flex: none; margin: 0; accent-color: var(--brand-ink); }
.views {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4);
  margin-bottom: var(--space-4); font-size: var(--text-s);
}
.views .filters { margin: 0; }
.views + .table { margin-top: 0; }
.together {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3);
  margin-bottom: var(--space-3); font-size: var(--text-s); font-weight: 550;
}
.together select { width: auto; max-width: 100%; }
.together + .table { margin-top: 0; }
.thing small, td small {
  display: block; color: var(--soft); font-size: .8125rem; font-weight: 400;
}
th.amount, td.amount { text-align: right; }
td.amount { white-space: nowrap; font-weight: 550; }
td :is(.whole, .badge) { white-space: nowrap; }

@container table (max-width: 30rem) {${cards}
}
@container wide (max-width: 44rem) {${cards}
}
/* Where letters are so large that a column's name leaves no room, its value goes below it. */
@container (max-width: 15rem) {
  td, td.amount { flex-wrap: wrap; white-space: normal; }
  td:not(:first-child)::before { flex: 0 1 auto; }
  td :is(.whole, .badge) { white-space: normal; }
}
@container (min-width: 56rem) { td time { white-space: nowrap; } }
`.trimStart();
