import { type Html, html } from "../../contract/html.ts";

interface Document {
  readonly title: string;
  readonly lang: string;
  readonly files: { readonly style: string; readonly script: string; readonly icon: string };
  readonly body: Html;
}

/** Renders a whole page: nothing in it is inline, so its policy needs no exception. */
export const renderDocument = ({ title, lang, files, body }: Document): string =>
  html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${files.icon}">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
${body}
</html>`.html;
