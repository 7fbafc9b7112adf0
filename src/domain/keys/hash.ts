import { nodeModule } from "./node-module.ts";

// This file uses these parts of `node:crypto`.
interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac;
  digest(): Uint8Array;
  digest(encoding: "base64url"): string;
}
interface NodeCrypto {
  hash?(name: string, data: string, encoding: "hex" | "base64url"): string;
  createHmac(name: string, key: Uint8Array): NodeHmac;
}

// Node's synchronous hash is five times as fast as WebCrypto.
const node = nodeModule<NodeCrypto>("crypto");
const utf8 = new TextEncoder();

/** Returns a text on Node and a promise elsewhere: always `await` it. */
export function sha256(
  text: string,
  encoding: "hex" | "base64url" = "hex",
): string | Promise<string> {
  if (node?.hash) return node.hash("sha256", text, encoding);
  return crypto.subtle
    .digest("SHA-256", utf8.encode(text))
    .then((digest) => encode(new Uint8Array(digest), encoding));
}

/** Returns bytes on Node and a promise elsewhere: always `await` it. */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array | Promise<Uint8Array> {
  if (node) return node.createHmac("sha256", key).update(text).digest();
  return subtleHmac(key, text);
}

/** Gives the same HMAC as base64url. On Node it takes half the time of encoding the bytes here. */
export function hmacText(key: Uint8Array, text: string): string | Promise<string> {
  if (node) return node.createHmac("sha256", key).update(text).digest("base64url");
  return subtleHmac(key, text).then(base64url);
}

async function subtleHmac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey(
    "raw",
    new Uint8Array(key),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8.encode(text)));
}

const encode = (bytes: Uint8Array, encoding: "hex" | "base64url"): string =>
  encoding === "hex" ? hex(bytes) : base64url(bytes);

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns null unless the text is canonical base64url without padding. */
export function fromBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;

  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  return base64url(bytes) === text ? bytes : null;
}

/** Compares two texts in a time that depends only on their lengths. */
export function timingSafeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
