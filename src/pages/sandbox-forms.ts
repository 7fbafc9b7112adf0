import { isApiError } from "../contract/errors.ts";
import type { WireReply, WireRequest } from "../http/wire.ts";
import type { CheckoutService, CheckoutView } from "../payments/checkout-service.ts";
import { renderMessage, renderNotFound, renderPage } from "./sandbox-html.ts";
import { styleHash } from "./sandbox-style.ts";

const maxFormBytes = 16_384;

export const notFoundPage = (): WireReply => html(404, renderNotFound());

/** Answers one request for the page of a token. */
export async function answerPage(
  checkout: CheckoutService,
  request: WireRequest,
  token: string,
): Promise<WireReply> {
  try {
    return await answerToken(checkout, request, token);
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return notFoundPage();
    throw error;
  }
}

async function answerToken(
  checkout: CheckoutService,
  request: WireRequest,
  token: string,
): Promise<WireReply> {
  const view = await checkout.view(token);
  if (view.livemode) return notFoundPage();

  const { method } = request;
  if (method === "GET" || method === "HEAD") return html(200, renderPage(view, null));
  if (method !== "POST") {
    const allow = "GET, HEAD, POST";
    return { status: 405, headers: { ...headers, allow }, body: renderNotFound() };
  }

  if (!isSameOrigin(request, view))
    return html(403, renderMessage(view, "This form was sent from another site."));
  return act({ checkout, token, view, form: await readForm(request) });
}

/** A form that the buyer has sent from the page. */
interface SentForm {
  readonly checkout: CheckoutService;
  readonly token: string;
  readonly view: CheckoutView;
  readonly form: URLSearchParams;
}

async function act(sent: SentForm): Promise<WireReply> {
  const { checkout, token, view, form } = sent;
  const action = form.get("action");
  if (action === "cancel") {
    await checkout.cancel(token);
    return seeOther(view.cancel_url);
  }

  try {
    return await (action === "resume" ? resume(sent) : submit(sent));
  } catch (error) {
    if (!isApiError(error) || hiddenCodes.has(error.code)) throw error;
    return html(409, renderPage(await checkout.view(token), error.message));
  }
}

/** Errors that the page has no words for: the caller answers them. */
const hiddenCodes: ReadonlySet<string> = new Set(["internal_error", "resource_not_found"]);

async function resume({ checkout, token }: SentForm): Promise<WireReply> {
  const { redirect_url } = await checkout.resume(token);
  if (redirect_url !== null) return seeOther(redirect_url);
  return html(200, renderPage(await checkout.view(token), null));
}

async function submit({ checkout, token, view, form }: SentForm): Promise<WireReply> {
  const result = await checkout.submit(token, {
    payment_method_id: form.get("payment_method_id"),
    customer: {
      name: form.get("name") || null,
      email: form.get("email") || view.session.customer.email,
      tax_id: form.get("tax_id"),
    },
    input: { outcome: form.get("action") },
    idempotency_key: form.get("attempt"),
  });
  if (result.redirect_url !== null) return seeOther(result.redirect_url);

  const message =
    result.status === "failed"
      ? "The payment was declined. You can try again."
      : "The payment is being processed.";
  return html(200, renderPage(await checkout.view(token), message));
}

/**
 * Refuses forms of other sites (CSRF). The token in the path is secret too, but a
 * site that has learnt it must still not send the form.
 */
function isSameOrigin(request: WireRequest, view: CheckoutView): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";

  const own = new URL(view.session.checkout_url);
  const origin = request.header("origin");
  // On plain http a browser sends no Sec-Fetch-Site, and the page's own `no-referrer` makes its
  // origin `null`: there the secret token alone shows that the form is the page's.
  return origin === own.origin || (origin === "null" && own.protocol === "http:");
}

async function readForm(request: WireRequest): Promise<URLSearchParams> {
  const body = await request.body(maxFormBytes);
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));

  // A form parser of the host has read the body, or it is too large and nothing of it counts.
  const parsed: unknown = body?.parsed;
  const fields = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
  return new URLSearchParams(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}

const contentPolicy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  "img-src 'self' https:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentPolicy,
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
