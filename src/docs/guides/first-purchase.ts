import { type Html, html } from "../../contract/html.ts";
import { rich } from "../markup.ts";
import { hrefOf, type Reading } from "../reading.ts";
import { firstCart, samplesFor, shell } from "./pieces.ts";

export function firstPurchase(reading: Reading): Html {
  const { say } = reading.words;
  return html`<p>${say("buy_intro")}</p>
<ol><li>${rich(say("buy_find"))}</li></ol>
${samplesFor(reading, "listProducts")}
<ol start="2"><li>${rich(say("buy_create"))}</li></ol>
${shell(reading, ["export PURCHASE_ID=cart-8812"])}
${samplesFor(reading, "createCheckoutSession", firstCart)}
<ol start="3"><li>${rich(say("buy_pay", { sandbox: hrefOf(reading, "sandbox") }))}</li>
<li>${rich(say("buy_return"))}</li></ol>
${samplesFor(reading, "getCheckoutSession")}
<div class="note-box"><p>${rich(say("buy_release"))}</p></div>`;
}
