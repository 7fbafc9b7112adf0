import { buyer } from "./checkout-visit.ts";

export interface PayForm {
  /** Its status and headers: the body is read. */
  readonly page: Response;
  /** What the page gave to the form, with the first choice of each kind, and the buyer. */
  readonly fields: URLSearchParams;
}

/** Opens the checkout page over HTTP and fills in its form. */
export async function openPayForm(url: string): Promise<PayForm> {
  const page = await fetch(url);
  const html = await page.text();
  const fields = new URLSearchParams({ name: buyer.name, email: buyer.email });
  const given = /<input type="(?:hidden|radio)"[^>]*\bname="([^"]+)" value="([^"]+)"/g;
  for (const [, name = "", value = ""] of html.matchAll(given))
    if (!fields.has(name)) fields.set(name, value);
  return { page, fields };
}

/** Sends the form, as a browser does from the page itself unless `from` says otherwise. */
export function sendPayForm(
  url: string,
  fields: URLSearchParams,
  from: Record<string, string> = {
    origin: new URL(url).origin,
    "sec-fetch-site": "same-origin",
  },
): Promise<Response> {
  return fetch(url, { method: "POST", redirect: "manual", headers: from, body: fields });
}

/** Fills in the form of the page and pays by it; a test session takes an `outcome`. */
export async function payByForm(url: string, more: Record<string, string> = {}): Promise<Response> {
  const { fields } = await openPayForm(url);
  for (const [name, value] of Object.entries({ action: "pay", ...more })) fields.set(name, value);
  return sendPayForm(url, fields);
}
