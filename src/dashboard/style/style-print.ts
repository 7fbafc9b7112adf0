/**
 * Styles the receipt of an order, and every page on paper: it has the content alone, dark on
 * white in both schemes. The test mode stays written on it.
 */
export const printStyle = `
.receipt > header { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); align-items: baseline; }
.receipt > header strong { flex-basis: 100%; font-size: var(--text-l); }
.receipt > header span { color: var(--soft); font-size: var(--text-s); }
.receipt > ol { border-block: 1px solid var(--line); padding-block: var(--space-2); }
.receipt > ol > li {
  display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 0 var(--space-4);
  padding: .2rem 0; break-inside: avoid; font-variant-numeric: tabular-nums;
}
.receipt > ol small { display: block; color: var(--soft); }
.receipt > ol span, .receipt > ol b { white-space: nowrap; text-align: right; }
.receipt > ol b { min-width: 6rem; font-weight: 550; }
.receipt section li { padding: .1rem 0; }
@media (max-width: 29.99rem) {
  .receipt > ol > li { grid-template-columns: minmax(0, 1fr) auto; }
  .receipt > ol > li > div { grid-column: 1 / -1; }
  .receipt > ol span { text-align: left; white-space: normal; }
}

@media print {
  @page { margin: 12mm; }
  :root {
    color-scheme: light;
    --ink: #000; --soft: #444; --line: #bbb; --edge: #888; --paper: #fff; --back: #fff;
    --brand-ink: #000; --warn: #000; --warn-back: #fff; --good: #000; --good-back: #fff;
    --bad: #000; --bad-back: #fff;
  }
  .skip, .side, .crumbs, .head > :not(:first-child), .mode-bar a, .unprinted, main form,
  .code-box .button {
    display: none !important;
  }
  body { font-size: 10pt; }
  .frame { display: block; min-height: 0; }
  main { max-width: none; padding: 0; }
  .card { padding: 8pt; break-inside: avoid; }
  main > .head + * { margin-top: 8pt; }
  time { text-decoration: none; }
  .receipt { padding: 0; border: 0; font-size: 10pt; break-inside: auto; }
  .receipt.dense, .receipt.dense .soft, .receipt.dense dt { font-size: 8pt; line-height: 1.25; }
  .receipt.dense > * + * { margin-top: 6pt; }
  .receipt.dense > ol > li { padding: 1pt 0; }
  .receipt.dense > ol small { display: inline; margin-left: 6pt; font-size: 7pt; }
  .receipt.columned > ol { columns: 2; column-gap: 16pt; font-size: 6.5pt; line-height: 1.15; }
  .receipt.columned > ol > li { gap: 0 6pt; padding: .5pt 0; }
  .receipt.columned > ol small { font-size: 6pt; }
  .receipt.columned > ol b { min-width: 0; }
}
`.trimStart();
