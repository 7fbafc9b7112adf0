import { brandTokens } from "../../contract/brand.ts";
import { tokens } from "../../contract/tokens.ts";
import { crc32 } from "../../domain/keys/crc32.ts";
import type { WireReply } from "../../http/wire.ts";
import { style } from "../parts/style.ts";

const own = `
body.customer { background: var(--back); }
.sheet { max-width: 44rem; margin: 0 auto; padding: 0 var(--space-4) var(--space-6); }
.sheet > * + *, .card > * + * { margin-top: var(--space-4); }
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: 0 var(--space-4); padding-top: var(--space-3); }
.top .button { width: auto; }
.customer main { padding: 0; }
.customer main > * + * { margin-top: var(--space-5); }
.customer h1 { margin: 0; color: var(--ink); font-size: var(--text-l); font-weight: 700; }
.customer h3 { margin: 0; font-size: var(--text-m); font-weight: 600; line-height: 1.3; }
.customer section > h2 { margin-bottom: var(--space-3); }
.card { padding: var(--space-4); border: 1px solid var(--line); border-radius: var(--radius-m);
  background: var(--paper); }
.card + .card { margin-top: var(--space-3); }
.card > * + * { margin-top: var(--space-2); }
.card form + form, .card details { margin-top: var(--space-3); }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--space-4); }
.state-of { font-size: var(--text-s); font-weight: 600; color: var(--soft); }
.state-of.good { color: var(--good); }
.state-of.bad { color: var(--bad); }
.card summary { min-height: 2.75rem; padding: var(--space-2) 0; color: var(--brand-ink);
  cursor: pointer; }
.card details > * + * { margin-top: var(--space-2); }
.goods { white-space: pre-line; }
.goods code { display: block; padding: var(--space-2) var(--space-3); border-radius:
  var(--radius-s); background: var(--back); font-family: var(--font-code); user-select: all; }
.facts { display: grid; grid-template-columns: 1fr; gap: 0; }
.facts dt { color: var(--soft); font-size: var(--text-s); }
.facts dd { margin-bottom: var(--space-2); white-space: pre-line; }
@media (min-width: 40rem) {
  .facts { grid-template-columns: 1fr 1fr; column-gap: var(--space-4); grid-auto-flow: row; }
}
.items { width: 100%; border-collapse: collapse; }
.items th { padding: var(--space-1) 0; color: var(--soft); font-size: var(--text-s);
  font-weight: 400; text-align: left; }
.items td { padding: var(--space-2) 0; border-top: 1px solid var(--line); vertical-align: top; }
.items small { display: block; }
.items .price { padding-left: var(--space-3); text-align: right; }
.customer footer { padding: var(--space-4) 0 0; background: none; }
@media print {
  @page { margin: 14mm; }
  .sheet { max-width: none; padding: 0; }
  .card { padding: 0; border: 0; }
  .top .store { min-height: 0; }
  .screen { display: none; }
  .customer { font-size: 10.5pt; }
  .facts { grid-template-columns: 1fr 1fr; column-gap: 8mm; }
  .facts dt, .items th { font-size: .9em; }
  .facts dd { margin-bottom: 4pt; }
  .items td { padding: 3pt 0; }
  .items tr { break-inside: avoid; }
  .dense { font-size: 8pt; line-height: 1.25; }
  .dense .items td { padding: 1pt 0; }
  .dense .items small { display: inline; margin-left: 6pt; font-size: 7pt; }
  .columned .items { font-size: 6.5pt; line-height: 1.15; }
  .columned .items, .columned .items tbody { display: block; }
  .columned .items thead { display: none; }
  .columned .items tbody { columns: 2; column-gap: 16pt; }
  .columned .items tr { display: flex; justify-content: space-between; }
  .columned .items td { padding: .5pt 0; border: 0; }
  .columned .items small { font-size: 6pt; }
}
`;

const text = (brand: string | null): string =>
  `${tokens}\n${brand === null ? "" : brandTokens(brand)}\n${style}${own}`;

const version = crc32(text("#3c8f6b")).toString(16).padStart(8, "0");

/** The name of the style sheet says the brand colour, so that the page needs no inline style. */
export const customerStyleName = (brand: string | null): string =>
  `customer-${version}${brand === null ? "" : `-${brand.slice(1).toLowerCase()}`}.css`;

/** Answers the page's style sheet. Gives null for any other name. */
export function answerStyle(name: string): WireReply | null {
  const found = /^customer-([0-9a-f]{8})(?:-([0-9a-f]{6}))?\.css$/.exec(name);
  if (!found) return null;

  const [, asked, brand] = found;
  return {
    status: 200,
    headers: {
      "content-type": "text/css; charset=utf-8",
      // A file of another version comes from a process that is not yet replaced: nobody keeps it.
      "cache-control": asked === version ? "public, max-age=31536000, immutable" : "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    body: text(brand === undefined ? null : `#${brand}`),
  };
}
