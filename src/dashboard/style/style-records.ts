/** Styles searches, amounts, and the pages of orders and customers. */
export const recordStyle = `
.search-form {
  display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: end;
  margin-bottom: var(--space-4);
}
.search-form .field { margin: 0; flex: 1 1 9rem; min-width: 0; }
.search-form .field.search { flex: 4 1 16rem; display: block; }
.search-form .field.date { flex: 0 1 11rem; }
.search-form .field.choice { flex: 0 1 18rem; }
.search-form input, .search-form select { max-width: none; }
.pinned {
  display: inline-block; margin: 0 var(--space-2) var(--space-4) 0;
  padding: .25rem var(--space-3); border: 1px solid var(--line); border-radius: 99px;
  background: var(--paper); font-size: var(--text-s);
}
.pinned a { margin-left: var(--space-2); }

.sums { margin-left: auto; max-width: 22rem; font-variant-numeric: tabular-nums; }
.sums > div {
  display: flex; justify-content: space-between; gap: var(--space-4); padding: .2rem 0;
}
.sums dt { color: var(--soft); }
.sums dd { white-space: nowrap; font-weight: 550; }
.code-box textarea { max-width: 44rem; font: var(--text-s)/1.5 var(--font-code); }
.code-box textarea + .button { margin-top: var(--space-2); }

.split { display: grid; gap: var(--space-4); grid-template-columns: minmax(0, 1fr); }
.split .cards { align-content: start; }
.timeline { margin-top: var(--space-5); }
.timeline > li {
  position: relative; display: flex; flex-wrap: wrap; gap: 0 var(--space-4);
  justify-content: space-between; padding: 0 0 var(--space-4) var(--space-5);
  border-left: 2px solid var(--line);
}
.timeline > li:last-child { border-color: transparent; padding-bottom: 0; }
.timeline > li::before {
  content: ""; position: absolute; left: -6px; top: .4rem; width: 10px; height: 10px;
  border-radius: 50%; background: var(--edge); box-shadow: 0 0 0 3px var(--paper);
}
.timeline > li.good::before { background: var(--good); }
.timeline > li.bad::before { background: var(--bad); }
.timeline > li > div { flex: 1 1 20rem; min-width: 0; }
.timeline > li > time { color: var(--soft); font-size: .8125rem; }
.timeline small { display: block; color: var(--soft); font-size: .8125rem; }
.timeline .note {
  margin-top: var(--space-1); padding: var(--space-2) var(--space-3);
  border-radius: var(--radius-s); background: var(--back); white-space: pre-line;
}
.pictures { display: flex; flex-wrap: wrap; gap: var(--space-2); margin-bottom: var(--space-4); }
.pictures img { border: 1px solid var(--line); border-radius: var(--radius-s); object-fit: cover; }
.steps > :not(:last-child), .steps:has(+ .notice) { display: none; }
.steps progress { display: block; width: 100%; height: 1rem; accent-color: var(--brand-ink); }
.plan { display: grid; gap: var(--space-4); margin-top: var(--space-5); }
.sent li, .machines li {
  display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; padding: .2rem 0;
}
.sent a { font-size: var(--text-s); min-width: 0; }

@media (max-width: 44.99rem) {
  .search-form .field, .search-form .field.date { flex: 1 1 8rem; }
  .search-form .actions { flex: 1 1 100%; }
  .search-form .button { flex: 1; }
  .search-form .field.search { flex: 1 1 100%; }
  .sums { max-width: none; }
}
@media (min-width: 80rem) {
  .split { grid-template-columns: minmax(0, 1fr) min(20rem, 40%); }
}
`.trimStart();
