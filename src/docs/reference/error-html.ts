import { type PublicErrorCode, publicErrors } from "../../contract/errors.ts";
import { type Html, html } from "../../contract/html.ts";
import { remedies } from "../../contract/openapi/error-remedies.ts";
import { codeBlock, inline } from "../markup.ts";
import { type Reading, told } from "../reading.ts";
import { advice, meanings } from "../texts/errors-pt.ts";

/** Renders the entry that `error.docs_url` points to. */
export function renderError(reading: Reading, code: PublicErrorCode): Html {
  const { say } = reading.words;
  const [status, type, message] = publicErrors[code];
  const meaning = told(reading, meanings, code) ?? message;
  const remedy = told(reading, advice, code) ?? remedies[code];

  const example = JSON.stringify({ error: { type, code, message, param: null } }, null, 2);
  const block = codeBlock(reading, say("body"), example);
  const text = html`<p class="note">${status} · ${type}</p><p>${inline(meaning)}</p>
${remedy ? html`<p>${inline(remedy)}</p>` : null}`;
  const shown = html`<details><summary>${say("example")}</summary>${block}</details>`;
  return html`<article class="event" id="${code}"><h2><code>${code}</code></h2>
<div>${text}</div><div class="beside">${shown}</div></article>`;
}
