import { isApiError } from "../contract/errors.ts";
import type { WireReply, WireRequest } from "../http/wire.ts";
import type { CheckoutService, CheckoutView } from "../payments/checkout-service.ts";
import { renderGone, renderPage, renderStatus, styleHash } from "./sandbox-html.ts";

const maxFormBytes = 16_384;

export const gone = (): WireReply => html(404, renderGone());

/** One request for the page of a token. */
export async function answerPage(
  checkout: CheckoutService,
  request: WireRequest,
  token: string,
): Promise<WireReply> {
  try {
    const view = await checkout.view(token);
    if (view.livemode) return gone();
    if (request.method === "GET" || request.method === "HEAD")
      return html(200, renderPage(view, null));
    if (request.method !== "POST")
      return { ...html(405, renderGone()), headers: { ...headers, allow: "GET, HEAD, POST" } };
    return isSameOrigin(request, view)
      ? await act(checkout, token, view, await readForm(request))
      : html(403, renderStatus(view, "This form was sent from another site."));
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return gone();
    throw error;
  }
}

async function act(
  checkout: CheckoutService,
  token: string,
  view: CheckoutView,
  form: URLSearchParams,
): Promise<WireReply> {
  if (form.get("action") === "cancel") {
    await checkout.cancel(token);
    return seeOther(view.cancel_url);
  }
  try {
    const action = form.get("action");
    if (action === "resume") {
      const { redirect_url } = await checkout.resume(token);
      return redirect_url === null
        ? html(200, renderPage(await checkout.view(token), null))
        : seeOther(redirect_url);
    }
    const result = await checkout.submit(token, {
      payment_method_id: form.get("payment_method_id"),
      customer: {
        name: form.get("name") || null,
        email: form.get("email") || view.session.customer.email,
        tax_id: form.get("tax_id"),
      },
      input: { outcome: action },
      idempotency_key: form.get("attempt"),
    });
    if (result.redirect_url !== null) return seeOther(result.redirect_url);
    const words =
      result.status === "failed"
        ? "The payment was declined. You can try again."
        : "The payment is being processed.";
    return html(200, renderPage(await checkout.view(token), words));
  } catch (error) {
    if (isApiError(error) && error.code !== "internal_error" && error.code !== "resource_not_found")
      return html(409, renderPage(await checkout.view(token), error.message));
    throw error;
  }
}

/** CSRF: the secret token stands in the path, and the form must come from this page. */
function isSameOrigin(request: WireRequest, view: CheckoutView): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.header("origin") === new URL(view.session.checkout_url).origin;
}

async function readForm(request: WireRequest): Promise<URLSearchParams> {
  const body = await request.body(maxFormBytes);
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));
  // A form parser of the host's has read it.
  const fields =
    body === null || typeof body.parsed !== "object" || body.parsed === null
      ? []
      : Object.entries(body.parsed);
  return new URLSearchParams(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}

const headers: Record<string, string> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src '${styleHash}'; img-src 'self' https:; frame-ancestors 'none'; base-uri 'none'`,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const html = (status: number, body: string): WireReply => ({ status, headers, body });
const seeOther = (location: string): WireReply => ({
  status: 303,
  headers: { ...headers, location },
  body: "",
});
