import { type Html, html } from "../../contract/html.ts";
import type { PageFiles } from "../scene.ts";
import type { Language } from "../texts/language.ts";
import { linkButton } from "./elements.ts";

interface Document {
  readonly title: string;
  /** The language of the whole page. */
  readonly language: Pick<Language, "lang">;
  readonly files: PageFiles;
  readonly body: Html;
  /** True when the page has the script, which needs a `main` with the server's time. */
  readonly scripted?: boolean;
  /** The addresses of further scripts, which run after the page's own. */
  readonly scripts?: readonly string[];
  /** A page without script asks this address for its news. Null means that it waits for none. */
  readonly refresh?: string | null;
}

const refreshSeconds = 10;

/** Renders a whole page: nothing in it is inline, so its policy needs no exception. */
export function renderDocument(page: Document): string {
  const { title, language, files, body, scripted = false, refresh = null } = page;
  const more = (page.scripts ?? []).map(
    (address) => html`<script src="${address}" defer></script>`,
  );
  return html`<!doctype html>
<html lang="${language.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${files.icon}">
<link rel="stylesheet" href="${files.style}">
${scripted ? html`<script src="${files.script}" defer></script>` : null}
${more}
${refresh === null ? null : noscriptRefresh(refresh)}
</head>
${body}
</html>`.html;
}

const noscriptRefresh = (address: string): Html =>
  html`<noscript>
<meta http-equiv="refresh" content="${refreshSeconds}; url=${address}">
</noscript>`;

/** Renders a page about no session: it says what happened and what comes next, and leads on. */
export function renderMessage({
  language,
  files,
  title,
  next,
  link,
}: {
  readonly language: Pick<Language, "lang">;
  readonly files: PageFiles;
  readonly title: string;
  readonly next: string;
  readonly link: { readonly address: string; readonly label: string } | null;
}): string {
  const way = link && linkButton(link.label, link.address);
  const body = html`<body class="message">
<main><h1>${title}</h1><p>${next}</p>${way}</main>
</body>`;
  return renderDocument({ title, language, files, body });
}
