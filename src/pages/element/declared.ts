import { crc32 } from "../../domain/keys/crc32.ts";
import type { WireReply } from "../../http/wire.ts";
import type { PaymentGateway } from "../../payments/gateway/gateway.ts";
import type { PaymentElement } from "../../payments/gateway/payment-element.ts";
import { glueScript } from "./glue.ts";

/** Puts the provider's part before the page's own. Nothing of both is a global name. */
const scriptOf = ({ mount }: PaymentElement): string =>
  `"use strict";\n(() => {\nconst mount = ${mount};\n\n${glueScript}\n})();\n`;

const named = (script: string): string =>
  `element-${crc32(script).toString(16).padStart(8, "0")}.js`;

/** The name of the page's own file that shows this element. It changes with the text. */
export const elementName = (element: PaymentElement): string => named(scriptOf(element));

/**
 * Answers the page's own file of a gateway's element. Gives null for any other name: where a
 * deployment changes its version, the page says that the form could not be loaded, and its
 * button leads to the provider's page.
 */
export function answerElement(gateways: readonly PaymentGateway[], name: string): WireReply | null {
  if (!/^element-[0-9a-f]{8}\.js$/.test(name)) return null;

  const scripts = gateways.flatMap(({ element }) => (element ? [scriptOf(element)] : []));
  const body = scripts.find((script) => named(script) === name);
  if (body === undefined) return null;
  return {
    status: 200,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    body,
  };
}
