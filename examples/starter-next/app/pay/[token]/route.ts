import { after } from "next/server";
import { storefront } from "../../../shop.ts";
import { sendWebhooks } from "../../../work.ts";

const ipHeader = process.env["CLIENT_IP_HEADER"];
const ipOf = (request: Request): string => (ipHeader ? (request.headers.get(ipHeader) ?? "") : "");

/** Serves the checkout page, with its style sheet and its script. */
export const GET = async (request: Request): Promise<Response> =>
  (await storefront()).checkoutPage.handler(request, { ip: ipOf(request) });

/** Takes a payment. What it causes is sent behind the answer, not at the next minute. */
export async function POST(request: Request): Promise<Response> {
  after(sendWebhooks);
  return GET(request);
}
