import { type Html, html, raw } from "../../src/contract/html.ts";
import { type Lang, wordsOf } from "./words.ts";

export { type Html, html };

const links = [
  ["/", "shop"],
  ["/my-purchases", "purchases"],
  ["/released", "released"],
  ["/dashboard", "dashboard"],
  ["/v1/docs", "api"],
] as const;

/** The headers of pages that are for one person and that nobody keeps. */
export const personalHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

interface PageParts {
  /** Stands beside the navigation. */
  readonly beside?: Html;
  readonly lang?: Lang;
  /** A browser without scripts goes on to this address. */
  readonly plain?: string;
}

/** Renders a page of the demo. */
export function page(title: string, body: Html, parts: PageParts = {}): string {
  const { beside = null, lang = "en", plain } = parts;
  const words = wordsOf(lang);
  // A script of this type is data, which the policy of the page lets through.
  const data = raw(JSON.stringify(words).replaceAll("<", "\\u003c"));
  return html`<!doctype html><html lang="${lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · Armazém Vitrine</title>
<link rel="stylesheet" href="/shop.css"><link rel="icon" href="/images/serra-dark-roast.svg">
${plain === undefined ? null : html`<noscript><meta http-equiv="refresh" content="0; url=${plain}"></noscript>`}
<script id="words" type="application/json">${data}</script>
<script src="/shop.js" type="module"></script></head><body>
<section class="test-mode" aria-label="${words.test_label}">${words.test_mode}</section>
<header class="top"><a class="brand" href="/">Armazém Vitrine</a>${beside}
<nav aria-label="${words.pages}">${links.map(([href, name]) => html`<a href="${href}">${words[name]}</a>`)}</nav></header>
<main>${body}</main></body></html>`.html;
}
