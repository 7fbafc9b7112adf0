import { type Html, html } from "../contract/html.ts";
import type { JsonObject } from "../contract/openapi/openapi-schemas.ts";
import { follow, isForBrowsers, type ListedOperation, requestExample } from "./document.ts";
import type { Reading } from "./reading.ts";
import { listOf } from "./reference/json.ts";

/**
 * Renders a form that calls the operation from the page, with a publishable test
 * key. The script shows the form, because it does nothing without the script.
 * Operations that need a secret key have no form, because a secret key never
 * belongs in a page.
 */
export function renderTryForm(reading: Reading, listed: ListedOperation): Html {
  const { document } = reading;
  const { say } = reading.words;
  const { operation, method, path } = listed;
  if (!isForBrowsers(operation)) return html`<p class="note">${say("no_try")}</p>`;

  const id = operation.operationId;
  const parameters = listOf(operation["parameters"]).map((part) => follow(document, part));
  const fields = parameters
    .filter(({ in: place }) => place === "path" || place === "query")
    .map((part) => parameterField(id, part));
  const keyed = parameters.some(({ name }) => name === "Idempotency-Key");
  const body = bodyField(reading, id, requestExample(document, operation));

  const form = html`<form data-method="${method}" data-path="${path}" data-keyed="${String(keyed)}">
<label for="try-${id}-key">${say("try_key")}</label>
<input id="try-${id}-key" class="try-key" type="text" placeholder="hk_test_pub_…" required
 autocomplete="off" autocapitalize="none" spellcheck="false">
${fields}${body}
<button type="submit">${say("try_send")}</button>
<p class="try-status" role="status"></p>
<pre class="try-answer" hidden></pre>
</form>`;
  return html`<details class="try" hidden><summary>${say("try_it")}</summary>${form}</details>`;
}

/**
 * Renders the field of a parameter. An optional one is left empty, and an empty one
 * is not sent.
 */
function parameterField(id: string, part: JsonObject): Html {
  const name = String(part["name"]);
  const place = String(part["in"]);
  const value = place === "path" ? String(part["example"] ?? "") : "";
  const required = place === "path" ? html` required` : null;
  return html`<label for="try-${id}-${name}"><code>${name}</code></label>
<input id="try-${id}-${name}" type="text" data-in="${place}" name="${name}" value="${value}"
 autocomplete="off" autocapitalize="none" spellcheck="false"${required}>`;
}

function bodyField({ words }: Reading, id: string, example: unknown): Html | null {
  if (example === undefined) return null;

  const text = JSON.stringify(example, null, 2);
  const rows = text.split("\n").length;
  return html`<label for="try-${id}-body">${words.say("body")}</label>
<textarea id="try-${id}-body" data-in="body" rows="${rows}" spellcheck="false">${text}</textarea>`;
}
