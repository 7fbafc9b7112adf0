import { webhookReceiver } from "vitrine/webhooks/next";
import { release } from "../../release.ts";

/** Takes the app's own events. The receiver is made here, because `next build` has no secret. */
export const POST = (request: Request): Promise<Response> =>
  webhookReceiver({ secret: process.env["WEBHOOK_SECRET"] ?? "", onEvent: release })(request);
