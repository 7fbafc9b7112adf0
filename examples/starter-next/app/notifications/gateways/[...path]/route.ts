import { after } from "next/server";
import { storefront } from "../../../../shop.ts";
import { sendWebhooks } from "../../../../work.ts";

/** Takes the messages of the payment provider. */
export async function POST(request: Request): Promise<Response> {
  after(sendWebhooks);
  return (await storefront()).notifications.handler(request);
}
