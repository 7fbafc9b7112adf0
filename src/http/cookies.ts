import type { WireRequest } from "./wire.ts";

/**
 * Reads a cookie. Gives null when two of the name came: one of them was set for
 * another path or by another host of the domain, and nothing tells which.
 */
export function cookieOf(request: WireRequest, name: string): string | null {
  const prefix = `${name}=`;
  const found = (request.header("cookie") ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return found.length === 1 ? (found[0]?.slice(prefix.length) ?? null) : null;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly sameSite: "Lax" | "Strict";
  readonly secure: boolean;
  /** The cookie's lifetime. Without one the cookie ends with the browser. */
  readonly maxAgeSeconds?: number | undefined;
}

/** Gives the value of a `Set-Cookie` header. No script of the page can read the cookie. */
export const cookieHeader = (
  name: string,
  { value, path, sameSite, secure, maxAgeSeconds }: Cookie,
): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    "HttpOnly",
    `SameSite=${sameSite}`,
    ...(secure ? ["Secure"] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join("; ");
