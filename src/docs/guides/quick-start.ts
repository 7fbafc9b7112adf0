import { type Html, html } from "../../contract/html.ts";
import type { OpenApiDocument } from "../../contract/openapi/openapi.ts";
import { codeBlock, rich } from "../markup.ts";
import { hrefOf, type Reading } from "../reading.ts";
import { baseAddress } from "../reference/samples.ts";
import { samplesFor, shell } from "./pieces.ts";

export function quickStart(reading: Reading): Html {
  const { say } = reading.words;
  const openapi = `${reading.toApi}openapi.json`;
  return html`<p>${rich(say("quick_keys"))}</p>
${shell(reading, ["export STOREFRONT_KEY=hk_test_sec_…"])}
<h2>${say("quick_call")}</h2>
<p>${say("quick_call_text")}</p>
${samplesFor(reading, "getStore")}
<p>${rich(say("quick_call_answer"))}</p>
<h2>${say("quick_refused")}</h2>
<p>${rich(say("quick_refused_text", { errors: hrefOf(reading, "errors") }))}</p>
<h2>${say("quick_browser")}</h2>
<p>${rich(say("quick_browser_text"))}</p>
${codeBlock(reading, say("quick_browser_label"), browserSample(reading.document))}
<p>${rich(say("quick_origin"))}</p>
<p>${rich(say("quick_forms"))}</p>
<h2>${say("quick_postman")}</h2>
<p>${rich(say("quick_postman_text", { openapi }))}</p>`;
}

const browserSample = (document: OpenApiDocument): string => `const key = "hk_test_pub_…";
const url = new URL("${baseAddress(document)}/products");
url.searchParams.set("key", key);

const response = await fetch(url, { headers: { Authorization: \`Bearer \${key}\` } });
console.log(await response.json());`;
