import { webhookReceiver } from "vitrine/webhooks/next";
import { release } from "../../release.ts";

/** Takes the app's own events. */
export const POST = webhookReceiver({
  secret: () => process.env["WEBHOOK_SECRET"],
  onEvent: release,
});
