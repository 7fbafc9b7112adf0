import type { WireBody, WireReply } from "../http/wire.ts";
import type { DashboardSettings } from "./options.ts";

const shared: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
};

const policy = ({ pictures }: DashboardSettings): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self'${pictures ? " https:" : ""}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

interface PageReply {
  readonly status: number;
  readonly lang: string;
  /** A `Set-Cookie` header. When it is null, none is set. */
  readonly cookie?: string | null;
}

export const pageReply = (
  settings: DashboardSettings,
  { status, lang, cookie = null }: PageReply,
  body: WireBody,
): WireReply => ({
  status,
  headers: {
    ...shared,
    "content-type": "text/html; charset=utf-8",
    "content-language": lang,
    "content-security-policy": policy(settings),
    // These headers decide which texts are shown, and to whom.
    vary: "Accept-Language, Cookie",
    ...(cookie === null ? {} : { "set-cookie": cookie }),
  },
  body,
});

export const seeOther = (location: string, cookie: string | null = null): WireReply => ({
  status: 303,
  headers: { ...shared, location, ...(cookie === null ? {} : { "set-cookie": cookie }) },
  body: "",
});

/** Makes the reply of a file of the store's records. No page of another origin can embed it. */
export const downloadReply = (file: WireReply): WireReply => ({
  ...file,
  headers: { ...file.headers, ...shared, "cross-origin-resource-policy": "same-origin" },
});

/**
 * Makes the reply of a file that never changes under its name. No cache keeps a
 * file of another version.
 */
export const fileReply = (type: string, body: string, isOwnVersion: boolean): WireReply => ({
  status: 200,
  headers: {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": isOwnVersion ? "public, max-age=31536000, immutable" : "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  },
  body,
});
