import { type Html, html } from "../../contract/html.ts";
import { changes } from "../changes.ts";
import type { DocsText } from "../language.ts";
import { codeTable, inline, rich } from "../markup.ts";
import type { Reading } from "../reading.ts";
import { outcomeTexts, testDocuments } from "../texts/sandbox-en.ts";
import { documentsPortuguese, outcomesPortuguese } from "../texts/sandbox-pt.ts";
import { authentication } from "./authentication.ts";
import { firstPurchase } from "./first-purchase.ts";
import { firstWebhook } from "./first-webhook.ts";
import { quickStart } from "./quick-start.ts";

// An integrator reads these guides before the reference. They lead from the first call to the first
// real payment. Each is a page.

interface Guide {
  /** The name of the guide in its address, which was its anchor on the one page of before. */
  readonly slug: string;
  readonly title: DocsText;
  readonly body: (reading: Reading) => Html;
  /** True when the guide has calls in several programming languages. */
  readonly hasSamples: boolean;
}

export const guides: readonly Guide[] = [
  { slug: "quick-start", title: "quick_start", body: quickStart, hasSamples: true },
  { slug: "first-purchase", title: "first_purchase", body: firstPurchase, hasSamples: true },
  { slug: "first-webhook", title: "first_webhook", body: firstWebhook, hasSamples: false },
  { slug: "sandbox", title: "sandbox", body: sandbox, hasSamples: false },
  { slug: "going-live", title: "going_live", body: goingLive, hasSamples: false },
  { slug: "changes", title: "changes", body: changeList, hasSamples: false },
  { slug: "authentication", title: "authentication", body: authentication, hasSamples: false },
];

function sandbox({ words: { say }, language }: Reading): Html {
  const [outcomes, documents] =
    language === "pt" ? [outcomesPortuguese, documentsPortuguese] : [outcomeTexts, testDocuments];
  return html`<p>${rich(say("sandbox_intro"))}</p>
${codeTable([say("sandbox_outcome"), say("sandbox_happens")], outcomes)}
<h2>${say("sandbox_documents")}</h2>
<p>${say("sandbox_documents_text")}</p>
${codeTable([say("sandbox_number"), say("sandbox_kind")], documents)}
<p>${say("sandbox_orders")}</p>`;
}

const liveSteps: readonly DocsText[] = [
  "live_keys",
  "live_secret",
  "live_origins",
  "live_webhooks",
  "live_release",
  "live_idempotency",
  "live_retry",
  "live_unknown",
  "live_log",
  "live_buy",
];

function goingLive({ words: { say } }: Reading): Html {
  const items = liveSteps.map((name) => html`<li>${inline(say(name))}</li>`);
  return html`<ol>${items}</ol>`;
}

function changeList({ words: { say }, language }: Reading): Html {
  const items = changes.map((change) => html`<li>${inline(change[language])}</li>`);
  return html`<p>${say("changes_intro")}</p><ul>${items}</ul>`;
}
