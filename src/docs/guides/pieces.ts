import type { Html } from "../../contract/html.ts";
import { checkoutRequestExample, productExample } from "../../contract/openapi/examples.ts";
import { operationsOf } from "../document.ts";
import { codeBlock } from "../markup.ts";
import type { Reading } from "../reading.ts";
import { renderSamples } from "../reference/samples.ts";

// The guides share these pieces.

export const shell = (reading: Reading, lines: readonly string[]): Html =>
  codeBlock(reading, "Shell", lines.join("\n"));

/** Renders the samples of the operation, one for each language that the reader can choose. */
export function samplesFor(reading: Reading, operationId: string, body?: unknown): Html | null {
  const listed = operationsOf(reading.document).find(
    ({ operation }) => operation.operationId === operationId,
  );
  return listed ? renderSamples(reading, listed, body) : null;
}

/** The smallest request for a session, for a store that has a product and two return URLs. */
export const firstCart = {
  items: [{ product_id: productExample.id, quantity: 1 }],
  success_url: checkoutRequestExample.success_url,
  cancel_url: checkoutRequestExample.cancel_url,
};
