import { remedies } from "./error-remedies.ts";
import { type PublicErrorCode, publicErrors } from "./errors.ts";
import { html } from "./html.ts";
import { inline, renderPage } from "./page.ts";

/**
 * The page that `error.docs_url` points to. It has one anchor for each code of the
 * error table.
 */
export function renderErrorReference(): string {
  const rows = (Object.keys(publicErrors) as PublicErrorCode[]).map((code) => {
    const [status, type, message] = publicErrors[code];
    const remedy = remedies[code];
    const example = JSON.stringify({ error: { type, code, message, param: null } }, null, 2);
    const heading = html`<h3 id="${code}"><code>${code}</code></h3>`;
    const note = html`<p class="note">${status} · ${type}</p><p>${inline(message)}</p>`;
    const advice = remedy ? html`<p>${inline(remedy)}</p>` : null;
    const details = html`<details><summary>Example</summary><pre>${example}</pre></details>`;
    return html`${heading}${note}${advice}${details}`;
  });

  return renderPage(
    "Error reference",
    html`<p>Act on <code>error.code</code>; messages may change.</p>${rows}`,
  );
}
