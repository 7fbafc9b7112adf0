import { parseUrl } from "./parse-url.ts";

const maxLength = 2_048;
/** Parsers disagree about blanks, control characters and backslashes in an address. */
const refusedCharacters = /[\u0000-\u0020\u007f-\u00a0\\\u2028\u2029\ufeff]/;

/**
 * Reads an origin to register: `https://host[:port]` or `http://localhost[:port]`.
 * Gives the origin as a browser sends it, and null for any other text.
 */
export function parseOrigin(raw: unknown): string | null {
  const url = parseWeb(raw);
  if (!url || typeof raw !== "string" || /[*?#]/.test(raw)) return null;

  const afterScheme = raw.slice(raw.indexOf("://") + 3);
  return afterScheme.includes("/") ? null : url.origin;
}

/**
 * Reads a return URL to register: scheme, host, port and path. A query or fragment
 * is refused, because each checkout session brings its own.
 */
export function parseReturnUrl(raw: unknown): string | null {
  const url = parseWeb(raw);
  if (!url || typeof raw !== "string" || /[*?#]/.test(raw)) return null;

  return url.origin + url.pathname;
}

/**
 * Returns the address without its fragment when scheme, host, port and path equal a
 * registered return URL, and null otherwise. `takesLocalhost` also accepts all of
 * `http://localhost`, the one host that is read without https.
 */
export function matchReturnUrl(
  raw: string,
  registered: readonly string[],
  takesLocalhost = false,
): string | null {
  const url = parseWeb(raw);
  if (!url) return null;

  const isLocal = takesLocalhost && url.protocol === "http:";
  if (!isLocal && !registered.includes(url.origin + url.pathname)) return null;

  url.hash = "";
  return url.href;
}

/**
 * Replaces `{CHECKOUT_SESSION_ID}` in the query, also in the percent-encoded form
 * of `href`.
 */
export function fillSessionId(url: string, session_id: string): string {
  const queryStart = url.indexOf("?");
  if (queryStart < 0) return url;

  const placeholder = /(\{|%7B)CHECKOUT_SESSION_ID(\}|%7D)/gi;
  const query = url.slice(queryStart).replace(placeholder, () => encodeURIComponent(session_id));
  return url.slice(0, queryStart) + query;
}

const maxRedirectLength = 8_192;
const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Tells whether nobody on the way can read or change what is sent: `https`, or this machine. */
export const isSafeTransport = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && thisMachine.has(hostname));

/**
 * Reads the address that a gateway sends the buyer to: `https`, or `http` on this
 * machine. It returns the address as `URL` writes it, in ASCII, and null for
 * anything else.
 */
export function parseRedirectUrl(raw: unknown): string | null {
  if (typeof raw !== "string" || raw.length > maxRedirectLength) return null;

  const url = parseUrl(raw);
  return url && isSafeTransport(url) ? url.href : null;
}

/** Reads an `https` address, or an `http` address of localhost, without user info. */
function parseWeb(raw: unknown): URL | null {
  if (
    typeof raw !== "string" ||
    raw.length > maxLength ||
    refusedCharacters.test(raw) ||
    !/^https?:\/\/[^/?#]/i.test(raw)
  )
    return null;

  // User info before the host could make a reader take it for the host.
  const authority = raw.slice(raw.indexOf("://") + 3).split(/[/?#]/, 1)[0] ?? "";
  if (authority.includes("@")) return null;

  const url = parseUrl(raw);
  if (!url || url.hostname === "") return null;
  return url.protocol === "https:" || url.hostname === "localhost" ? url : null;
}
