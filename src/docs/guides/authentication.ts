import { type Html, html } from "../../contract/html.ts";
import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";
import { inline } from "../markup.ts";
import { type Reading, told } from "../reading.ts";
import { schemeTexts } from "../texts/contract-pt.ts";

export function authentication(reading: Reading): Html {
  const schemes = Object.entries(reading.document.components["securitySchemes"] ?? {});
  const rows = schemes.map(([name, scheme]) => {
    const text = told(reading, schemeTexts, name) ?? String((scheme as JsonObject)["description"]);
    return html`<dt><code>${name}</code></dt><dd>${inline(text)}</dd>`;
  });
  return html`<dl>${rows}</dl>`;
}
