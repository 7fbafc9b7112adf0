import type { CheckoutShop } from "./checkout-shop.ts";

export interface Visited {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly html: string;
  /** What a reader sees, without tags. */
  readonly text: string;
}

/** Visits the page of a session as a browser of Brazil does. */
export async function visit(
  shop: CheckoutShop,
  url: string,
  headers: Record<string, string> = {},
): Promise<Visited> {
  const request = new Request(url, { headers: { "accept-language": "pt-BR", ...headers } });
  return read(await shop.storefront.checkoutPage.handler(request));
}

/** Sends a form of the page, as a browser does from the page itself. */
export const send = (
  shop: CheckoutShop,
  url: string,
  fields: Record<string, string>,
): Promise<Visited> => sendFields(shop, url, new URLSearchParams(fields));

/** Sends a form that may have several fields of one name. */
export async function sendFields(
  shop: CheckoutShop,
  url: string,
  fields: URLSearchParams,
): Promise<Visited> {
  const request = new Request(url, {
    method: "POST",
    headers: {
      "accept-language": "pt-BR",
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
    },
    body: fields,
  });
  return read(await shop.storefront.checkoutPage.handler(request));
}

/** The fields of a buyer who fills in all that is asked for. */
export const buyer = { name: "Ana Souza", email: "ana@example.com", tax_id: "529.982.247-25" };

/** Pays by the form, with the key that the page gave to it. */
export async function pay(
  shop: CheckoutShop,
  url: string,
  fields: Record<string, string>,
): Promise<Visited> {
  const { html } = await visit(shop, `${url}?change`);
  const [, attempt = ""] = /name="attempt" value="([^"]+)"/.exec(html) ?? [];
  return send(shop, url, { action: "pay", attempt, ...buyer, ...fields });
}

/** Reads an answer of a page. */
export async function read(answer: Response): Promise<Visited> {
  const html = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    headers: answer.headers,
    html,
    text: html
      .replace(/<[^>]+>/g, " ")
      .replace(/&#39;/g, "'")
      .replace(/\s+/g, " "),
  };
}
