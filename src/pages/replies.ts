import type { WireReply } from "../http/wire.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import type { PaymentElement } from "../payments/gateway/payment-element.ts";

// The contract says what the headers protect: docs/contract/checkout.md#checkout-page.

const shared: Readonly<Record<string, string>> = {
  // The path of a page holds its token, and no address is told the path. The origin is told,
  // because browsers send no `Origin` with a form where the policy forbids it.
  "referrer-policy": "strict-origin",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

interface PolicyParts {
  /** True when pictures of other hosts may load. */
  readonly pictures: boolean;
  /** A form may lead to these addresses, beside the page's own origin and https. */
  readonly formTargets: readonly string[];
  /** The provider's form that the page shows. Null lets no other host's script in. */
  readonly element: PaymentElement | null;
}

function policy({ pictures, formTargets, element }: PolicyParts): string {
  const { script = [], connect = [], frame = [] } = element?.origins ?? {};
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...script].join(" "),
    "style-src 'self'",
    ["connect-src 'self'", ...connect].join(" "),
    ...(frame.length > 0 ? [["frame-src", ...frame].join(" ")] : []),
  ].join("; ");
  const images = pictures ? "img-src 'self' https:" : "img-src 'self'";
  const forms = ["form-action 'self' https:", ...formTargets].join(" ");
  return `${directives}; ${images}; ${forms}; frame-ancestors 'none'; base-uri 'none'`;
}

export interface HtmlReply {
  readonly status: number;
  readonly lang: string;
  readonly pictures?: boolean;
  /** The session of the page. Null means that the page has no form of a session. */
  readonly view: CheckoutView | null;
  /** The provider's form that the page shows. */
  readonly element?: PaymentElement | null;
  /** The page's own address, where its forms may lead to the checkout. */
  readonly address?: string;
}

export const htmlReply = (
  { status, lang, pictures = false, view, element = null, address }: HtmlReply,
  body: string,
): WireReply => ({
  status,
  headers: {
    ...shared,
    "content-type": "text/html; charset=utf-8",
    "content-language": lang,
    // Work that took too long goes on: the page soon shows its result.
    ...(status === 503 && { "retry-after": "10" }),
    "content-security-policy": policy({
      pictures,
      element,
      formTargets: view === null ? anyPort(address ?? "") : localTargets(view),
    }),
  },
  body,
});

export const seeOther = (location: string, cookie?: string): WireReply => ({
  status: 303,
  headers: { ...shared, location, ...(cookie && { "set-cookie": cookie }) },
  body: "",
});

export const jsonReply = (data: Readonly<Record<string, string>>): WireReply => ({
  status: 200,
  headers: { ...shared, "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(data),
});

/**
 * Browsers apply `form-action` to the redirects that follow a form. In development
 * these redirects may lead to a store or a provider that this machine runs without
 * TLS, so the policy names their addresses too.
 */
function localTargets({ session, success_url, cancel_url }: CheckoutView): readonly string[] {
  const plain = [success_url, cancel_url].filter(isPlain).map((address) => new URL(address).origin);
  return [...new Set([...anyPort(session.checkout_url), ...plain])];
}

const isPlain = (address: string): boolean => address.startsWith("http:");

const anyPort = (address: string): readonly string[] =>
  isPlain(address) ? ["http://localhost:*", "http://127.0.0.1:*"] : [];
