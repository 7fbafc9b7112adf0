import { after } from "next/server";
import { storefront } from "../../../shop.ts";
import { sendWebhooks } from "../../../work.ts";

/** Serves the checkout page, with its style sheet and its script. */
export const GET = async (request: Request): Promise<Response> =>
  (await storefront()).checkoutPage.handler(request);

/** Takes a payment. What it causes is sent behind the answer, not at the next minute. */
export async function POST(request: Request): Promise<Response> {
  after(sendWebhooks);
  return GET(request);
}
