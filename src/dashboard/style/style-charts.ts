/** Styles the figures of the overview and their charts. */
export const chartsStyle = `
.bar {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: var(--space-2) var(--space-4);
}
.bar .filters { margin: 0; }
.bar + * { margin-top: var(--space-4); }
.stats { display: grid; gap: var(--space-4); }
.stats > .card { display: flex; flex-direction: column; margin: 0; min-width: 0; }
.stats > .card > :last-child { margin-top: auto; padding-top: var(--space-3); }
.stats > .card > .stat { margin-top: 0; padding-top: 0; }
.stat { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-3); }
.stat h3 { flex-basis: 100%; color: var(--soft); font-size: var(--text-s); font-weight: 550; }
.stat strong {
  font-size: min(1.5rem, 9vw); line-height: 1.4; font-weight: 680; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums;
}
.wide .stat strong { font-size: min(2rem, 9vw); }
.stat .soft { font-size: .8125rem; }
.stats > :not(.wide) .stat strong { flex-basis: 100%; }
.chart {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-2) var(--space-3);
}
.chart svg { width: 100%; height: 13rem; overflow: visible; }
.chart.small { display: block; }
.chart.small svg { height: 3.5rem; }
.scale, .days {
  display: flex; justify-content: space-between; color: var(--soft); font-size: .75rem;
  font-variant-numeric: tabular-nums;
}
.scale { flex-direction: column; margin: -.6rem 0; text-align: right; white-space: nowrap; }
.days { grid-column: 2; margin-bottom: 2.5rem; }
.chart path { fill: none; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.chart .chart-rule { stroke: var(--line); }
.chart .chart-line { stroke: var(--brand-ink); stroke-width: 2; stroke-linecap: round; }
.chart .chart-before { stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 2 4; }
.chart .chart-area { fill: var(--brand-ink); opacity: .09; }
.plot { position: relative; display: grid; }
.points { position: absolute; inset: 0; display: flex; }
.points label { flex: 1; cursor: pointer; }
.points input { position: absolute; opacity: 0; pointer-events: none; }
.mark { display: block; height: 100%; border-radius: 2px; }
.points :is(label:hover > .mark, input:is(:checked, :focus-visible) + .mark) {
  background: color-mix(in srgb, var(--ink) 10%, transparent);
}
.points input:focus-visible + .mark { outline: 2px solid var(--brand-ink); outline-offset: 1px; }
.tip {
  position: absolute; inset: calc(100% + 1.75rem) 0 auto; width: fit-content; margin: 0 auto;
  padding: var(--space-1) var(--space-2); border: 1px solid var(--line); border-radius: 4px;
  background: var(--paper); color: var(--ink); font-size: .8125rem; font-weight: 400;
  text-align: center; opacity: 0; pointer-events: none;
}
.points :is(label:hover > .tip, input:is(:checked, :focus-visible) ~ .tip) { opacity: 1; }
.points:has(label:hover) label:not(:hover) > .tip { opacity: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); font-size: .8125rem; }
.legend li { color: var(--soft); }
.legend li::before {
  content: ""; display: inline-block; width: 1.25rem; margin-right: var(--space-2);
  vertical-align: middle; border-top: 2px solid var(--brand-ink);
}
.legend li + li::before { border-top: 2px dotted var(--edge); }
summary { font-weight: 600; cursor: pointer; border-radius: 4px; }
details[open] > summary { margin-bottom: var(--space-4); }
.fold { margin-top: 2px; font-size: var(--text-s); }
.fold > summary { width: fit-content; color: var(--soft); font-size: .8125rem; font-weight: 500; }
.fold[open] > summary { margin-bottom: var(--space-2); }
.fold > * + * { margin-top: var(--space-2); }
.told strong { font-weight: 650; }
.told q { quotes: "“" "”"; }
.todo > li {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-3);
  padding: var(--space-3) 0;
}
.todo > li:first-child { padding-top: 0; }
.todo > li:last-child { padding-bottom: 0; }
.todo > li + li { border-top: 1px solid var(--line); }
.todo > li > :is(time, span):last-child {
  margin-left: auto; color: var(--soft); font-size: var(--text-s);
}
@media (max-width: 30rem) {
  .days { margin-bottom: 3.5rem; }
  .days span:nth-child(even) { display: none; }
}
@media (min-width: 45rem) {
  .stats { grid-template-columns: 1fr 1fr; }
  .stats > .wide { grid-column: 1 / -1; }
}
@media (min-width: 75rem) { .stats { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
@media (forced-colors: active) { .chart .chart-line { stroke: CanvasText; } }
`.trimStart();
