import { invalidOption } from "../../input/option-error.ts";
import type { WebhookTransport } from "../../webhooks/send/transport.ts";

/**
 * Gives the transport. Throws `invalid_option` for a storefront that was given
 * none.
 */
export const requireTransport = (transport: WebhookTransport | null): WebhookTransport =>
  transport ??
  invalidOption(
    "transport",
    "is missing: pass `nodeTransport()` from vitrine/transport " +
      "(or a transport of your own), so that webhooks can be sent",
  );
