import { type Html, html } from "../../src/contract/html.ts";

export { type Html, html };

const links = [
  ["/", "Shop"],
  ["/my-purchases", "My purchases"],
  ["/released", "Released"],
  ["/dashboard", "Dashboard"],
  ["/v1/docs", "API"],
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

/** Renders a page of the demo. Pages with a cart put it `beside` the navigation. */
export const page = (title: string, body: Html, beside: Html | null = null): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · Armazém Vitrine</title>
<link rel="stylesheet" href="/shop.css"><link rel="icon" href="/images/serra-dark-roast.svg">
<script src="/shop.js" type="module"></script></head><body>
<section class="test-mode" aria-label="Test mode">Test mode. No real money moves.</section>
<header class="top"><a class="brand" href="/">Armazém Vitrine</a>${beside}
<nav aria-label="Pages">${links.map(([href, name]) => html`<a href="${href}">${name}</a>`)}</nav></header>
<main>${body}</main></body></html>`.html;
