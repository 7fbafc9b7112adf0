import { fail } from "../../contract/errors.ts";
import type { WebhookTransport } from "../../webhooks/send/transport.ts";

/** Throws `endpoint_url_not_allowed` for an address that no webhook may be sent to. */
export async function checkAddress(transport: WebhookTransport, url: string): Promise<void> {
  const verdict = await transport.check(url);
  if (!verdict.ok)
    fail("endpoint_url_not_allowed", {
      param: "url",
      message: `The webhook URL is not allowed: ${verdict.reason}.`,
    });
}
