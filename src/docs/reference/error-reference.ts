import { type PublicErrorCode, publicErrors } from "../../contract/errors.ts";
import { html } from "../../contract/html.ts";
import { remedies } from "../../contract/openapi/error-remedies.ts";
import { codeBlock, inline } from "../markup.ts";
import { renderPage } from "../page.ts";

/**
 * Renders the page that `error.docs_url` points to. It has one anchor for each code
 * of the error table.
 */
export function renderErrorReference(): string {
  const codes = Object.keys(publicErrors) as PublicErrorCode[];
  const rows = codes.map((code) => {
    const [status, type, message] = publicErrors[code];
    const remedy = remedies[code];
    const example = JSON.stringify({ error: { type, code, message, param: null } }, null, 2);
    const note = html`<p class="note">${status} · ${type}</p><p>${inline(message)}</p>`;
    const advice = remedy ? html`<p>${inline(remedy)}</p>` : null;
    const block = codeBlock("Body", example);
    const details = html`<details><summary>Example</summary>${block}</details>`;
    return html`<section id="${code}"><h2><code>${code}</code></h2>
${note}${advice}${details}</section>`;
  });

  const links = codes.map((code) => html`<li><a href="#${code}">${code}</a></li>`);
  const first = html`<p>Act on <code>error.code</code>; messages may change.</p>`;
  return renderPage({
    title: "Error reference",
    toApi: "../",
    hasSamples: false,
    contents: html`<p class="group">Codes</p><ul>${links}</ul>`,
    main: html`${first}${rows}`,
  });
}
