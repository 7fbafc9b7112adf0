import { type Html, html } from "../../contract/html.ts";
import { codeBlock, rich } from "../markup.ts";
import { hrefOf, type Reading } from "../reading.ts";
import { javascriptReceiver, pythonReceiver } from "../receivers.ts";
import { baseAddress } from "../reference/samples.ts";
import { slugOf } from "../reference/subjects.ts";
import { shell } from "./pieces.ts";

export function firstWebhook(reading: Reading): Html {
  const { say } = reading.words;
  const purchase = hrefOf(reading, "first-purchase");
  const events = hrefOf(reading, slugOf(reading.document, "listEvents"), "listEvents");
  const address = `${baseAddress(reading.document)}/events`;
  return html`<p>${rich(say("hook_intro"))}</p>
${codeBlock(reading, "JavaScript: receiver.mjs", javascriptReceiver)}
${codeBlock(reading, "Python: receiver.py", pythonReceiver)}
<ol><li>${rich(say("hook_start"))}</li></ol>
${shell(reading, ["export WEBHOOK_SECRET=whsec_…", say("hook_start_or")])}
<ol start="2"><li>${rich(say("hook_reach"))}</li>
<li>${rich(say("hook_pay", { purchase }))}</li></ol>
<p>${rich(say("hook_repeats"))}</p>
<p>${rich(say("hook_polling", { events, address }))}</p>`;
}
