import { parseUrl } from "./parse-url.ts";

const maxLength = 2_048;
/** Blanks, controls and backslashes are what parsers disagree about; user info hides the host from a reader. */
const refusedRaw = /[\u0000-\u0020\u007f-\u00a0\\\u2028\u2029\ufeff]/;

/** CONTRACT 2, registering an origin: `https://host[:port]` or `http://localhost[:port]`, as a browser serialises it; null when it is none. */
export function parseOrigin(raw: unknown): string | null {
  const url = parseWeb(raw);
  if (
    !url ||
    typeof raw !== "string" ||
    raw.includes("*") ||
    raw.includes("?") ||
    raw.includes("#")
  )
    return null;
  const afterScheme = raw.slice(raw.indexOf("://") + 3);
  return afterScheme.includes("/") ? null : url.origin;
}

/** CONTRACT 2, registering a return URL: scheme, host, port and path; a query or fragment is refused, for requests bring their own. */
export function parseReturnUrl(raw: unknown): string | null {
  const url = parseWeb(raw);
  if (
    !url ||
    typeof raw !== "string" ||
    raw.includes("?") ||
    raw.includes("#") ||
    raw.includes("*")
  )
    return null;
  return url.origin + url.pathname;
}

/** The address to hand on (its href, fragment dropped) when scheme, host, port and path equal a registered one; else null. */
export function matchReturnUrl(raw: string, registered: readonly string[]): string | null {
  const url = parseWeb(raw);
  if (!url || !registered.includes(url.origin + url.pathname)) return null;
  url.hash = "";
  return url.href;
}

/** Replaces `{CHECKOUT_SESSION_ID}` in the query, also as `href` encodes it. */
export function fillSessionId(url: string, session_id: string): string {
  const mark = url.indexOf("?");
  if (mark < 0) return url;
  return (
    url.slice(0, mark) +
    url
      .slice(mark)
      .replace(/(\{|%7B)CHECKOUT_SESSION_ID(\}|%7D)/gi, () => encodeURIComponent(session_id))
  );
}

function parseWeb(raw: unknown): URL | null {
  if (
    typeof raw !== "string" ||
    raw.length > maxLength ||
    refusedRaw.test(raw) ||
    !/^https?:\/\/[^/?#]/i.test(raw)
  )
    return null;
  const authority = raw.slice(raw.indexOf("://") + 3).split(/[/?#]/, 1)[0] ?? "";
  if (authority.includes("@")) return null;
  const url = parseUrl(raw);
  if (!url || url.hostname === "") return null;
  return url.protocol === "https:" || url.hostname === "localhost" ? url : null;
}
