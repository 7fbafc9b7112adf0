/** Makes each row a card, in which each cell names its column. */
const cards = `
  thead {
    position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden;
  }
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
td code { font-size: .8125rem; }
.thing { display: flex; align-items: center; gap: var(--space-3); }
.thing img, .thing .blank {
  width: 2.5rem; height: 2.5rem; flex: none; border-radius: var(--radius-s);
  object-fit: cover; background: var(--back); border: 1px solid var(--line); }
.thing small, td small {
  display: block; color: var(--soft); font-size: .8125rem; font-weight: 400;
}
th.amount, td.amount { text-align: right; }
td.amount { white-space: nowrap; font-weight: 550; }

@container table (max-width: 30rem) {${cards}
}
@container wide (max-width: 44rem) {${cards}
}
@container (min-width: 56rem) { td time { white-space: nowrap; } }
`.trimStart();
