import { type Html, html } from "../contract/html.ts";
import { checkoutRequestExample, productExample } from "../contract/openapi/examples.ts";
import type { OpenApiDocument } from "../contract/openapi/openapi.ts";
import { changes } from "./changes.ts";
import { operationsOf } from "./document.ts";
import { codeBlock, codeTable, inline } from "./markup.ts";
import { javascriptReceiver, pythonReceiver } from "./receivers.ts";
import { baseAddress, renderSamples } from "./reference/samples.ts";
import { outcomeTexts, testDocuments } from "./sandbox-texts.ts";

// An integrator reads these guides before the reference. They lead from the first call to the first
// real payment.

export interface Guide {
  /** The anchor of the guide on the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

export const guidesOf = (document: OpenApiDocument): readonly Guide[] => [
  { id: "quick-start", title: "Quick start", body: quickStart(document) },
  { id: "first-purchase", title: "First purchase", body: firstPurchase(document) },
  { id: "first-webhook", title: "First webhook", body: firstWebhook(document) },
  { id: "sandbox", title: "Sandbox", body: sandbox() },
  { id: "going-live", title: "Going live", body: goingLive() },
  { id: "changes", title: "Changes", body: changeList() },
];

const shell = (lines: readonly string[]): Html => codeBlock("Shell", lines.join("\n"));

/**
 * This is the smallest request for a session, for a store that has a product and
 * two return URLs.
 */
export const firstCart = {
  items: [{ product_id: productExample.id, quantity: 1 }],
  success_url: checkoutRequestExample.success_url,
  cancel_url: checkoutRequestExample.cancel_url,
};

/** Renders the samples of the operation, one for each language that the reader can choose. */
function samples(document: OpenApiDocument, operationId: string, body?: unknown): Html | null {
  const listed = operationsOf(document).find(
    ({ operation }) => operation.operationId === operationId,
  );
  return listed ? renderSamples(document, listed, body) : null;
}

function quickStart(document: OpenApiDocument): Html {
  return html`<p>Ask the store for a pair of <strong>test keys</strong>. A secret test key begins
with
<code>hk_test_sec_</code> and stays on your server; a publishable one begins with
<code>hk_test_pub_</code> and may stand in a web page. Test keys move no money. Every sample on this
page reads its key from the environment:</p>
${shell(["export STOREFRONT_KEY=hk_test_sec_…"])}
<h3>First call</h3>
<p>This tells which store the key belongs to:</p>
${samples(document, "getStore")}
<p>The answer has the resource in <code>data</code>. <code>livemode</code> is <code>false</code>
with
a test key, and <code>request_id</code> is what support asks for.</p>
<h3>When it is refused</h3>
<p>An error has a <code>code</code> that does not change, the <code>param</code> at fault, and a
<code>docs_url</code> that leads to its entry in the <a href="docs/errors">error reference</a>. The
samples print it and stop.</p>
<h3>From a browser</h3>
<p>Use a publishable key, and send it as the query parameter <code>key</code> too: the browser asks
for permission first, and that question carries no <code>Authorization</code>.</p>
${codeBlock("JavaScript: in a page", browserSample(document))}
<p>The store registers the page's origin first; with <code>localhost_origins</code> it accepts every
page on localhost for test keys, and sends buyers back there. Where the origin is not registered, or
the parameter is missing or no key, the browser reports a <strong>CORS error</strong> and hides the
answer.</p>
<p>The forms “Try it” on this page do the same with a publishable test key. They keep it until the
page is closed and send it to this API only. A form that creates something is sent with this page's
own origin, which the store registers like any other.</p>
<h3>With Postman</h3>
<p>Import <a href="openapi.json">openapi.json</a>. In the settings of the import choose
<strong>Example</strong> for the parameters and switch <strong>Enable optional parameters</strong>
off. Otherwise Postman sends every filter at once, with values that it makes up. Then give the
collection a variable <code>bearerToken</code> with your key.</p>`;
}

const browserSample = (document: OpenApiDocument): string => `const key = "hk_test_pub_…";
const url = new URL("${baseAddress(document)}/products");
url.searchParams.set("key", key);

const response = await fetch(url, { headers: { Authorization: \`Bearer \${key}\` } });
console.log(await response.json());`;

function firstPurchase(document: OpenApiDocument): Html {
  return html`<p>Payment is never taken by your pages. You create a session, the buyer pays on its
checkout page, and an event tells you.</p>
<ol><li>Find a product. Its <code>id</code> goes into the session.</li></ol>
${samples(document, "listProducts")}
<ol start="2"><li>Create the session, with the <code>id</code> of your product. A product with
<code>variables</code> asks for these too. Replace <code>success_url</code> and
<code>cancel_url</code> by addresses that are registered with the store;
<code>http://localhost</code> can be, and a test key may use it without where the store has
<code>localhost_origins</code>. <code>PURCHASE_ID</code> is a text of your own, one per
purchase: repeated with the same text, the call answers as it did the first time, so that a lost
answer never makes two sessions.</li></ol>
${shell(["export PURCHASE_ID=cart-8812"])}
${samples(document, "createCheckoutSession", firstCart)}
<ol start="3"><li>Open the answer's <code>checkout_url</code> in a browser. In test mode the page
asks
how the payment shall end. Choose one of the <a href="#sandbox">outcomes</a> and pay.</li>
<li>You come back to <code>success_url</code>, with the session's id in place of
<code>{CHECKOUT_SESSION_ID}</code>. Put that id into the address of this call, and tell the
buyer how the payment stands.</li></ol>
${samples(document, "getCheckoutSession")}
<div class="note-box"><p>Never release goods on that page: a buyer can open it without having paid,
or close the browser before it. Release them on <code>order.paid</code>.</p></div>`;
}

function firstWebhook(document: OpenApiDocument): Html {
  return html`<p>Save this receiver. It needs no package: it checks the signature over the bytes as
they came, and answers at once.</p>
${codeBlock("JavaScript: receiver.mjs", javascriptReceiver)}
${codeBlock("Python: receiver.py", pythonReceiver)}
<ol><li>Start it with the secret of the endpoint, which the store shows once when it creates the
endpoint.</li></ol>
${shell(["export WEBHOOK_SECRET=whsec_…", "node receiver.mjs   # or: python3 receiver.py"])}
<ol start="2"><li>Let messages reach it. The store's server sends to public https addresses, so give
it the address of a tunnel to port 4000. A server on your own machine can be told to send to
<code>http://127.0.0.1:4000</code> with the option <code>allowTargets</code>.</li>
<li>Pay a session as above. The receiver prints <code>order.paid</code>.</li></ol>
<p>A message may come twice and out of order: remember the ids that you have seen, and answer 200 to
a repeat. Any other answer, or none within 15 seconds, is tried again for more than a day.</p>
<p>Without a tunnel, <a href="#listEvents">list the events</a> instead: they are the same bytes,
kept in
order, at <code>${baseAddress(document)}/events</code>.</p>`;
}

function sandbox(): Html {
  return html`<p>The sandbox plays a bank without one. The checkout page of a test session lets you
choose how the payment ends; a server that submits payments itself sends the name as
<code>outcome</code>. A name that is not in this list is declined.</p>
${codeTable(["Outcome", "What happens"], outcomeTexts)}
<h3>Test documents</h3>
<p>Where the page asks for a tax id, these have right check digits and belong to tests:</p>
${codeTable(["Number", "Kind"], testDocuments)}
<p>Test orders have numbers of their own, never touch live stock and can be deleted together.</p>`;
}

const liveSteps = [
  "Use live keys. They begin with `hk_live_`; a test key sees nothing that is live.",
  "Keep the secret key in your server's environment. One that is seen in a browser is reported.",
  "Register your site's origins and return URLs. Live keys take https only.",
  "Create a webhook endpoint for live mode. Its secret differs from the test one's.",
  "Release goods on `order.paid`, once per event id, and stop delivery on `order.chargeback`.",
  "Keep one `Idempotency-Key` per purchase, over every retry of it.",
  "On 429 and 503 wait as long as `Retry-After` says. Repeat 500 with the same key.",
  "Ignore fields, event types and enum values that you do not know: v1 may add some.",
  "Write `request_id` to your log. It is what support looks for.",
  "Buy something small with a real card or Pix, see your order released, and refund it.",
];

function goingLive(): Html {
  const items = liveSteps.map((text) => html`<li>${inline(text)}</li>`);
  return html`<ol>${items}</ol>`;
}

function changeList(): Html {
  const items = changes.map((text) => html`<li>${inline(text)}</li>`);
  return html`<p>Within v1 things are added and nothing is taken away. Newest first:</p>
<ul>${items}</ul>`;
}
