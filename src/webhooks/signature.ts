interface Hmac {
  update(data: string | Uint8Array): Hmac;
  digest(encoding: "hex"): string;
}
interface Host {
  process?: {
    getBuiltinModule?(name: string): { createHmac(name: string, key: string): Hmac } | undefined;
  };
}

/** The parts from which a signature is made. */
export interface SignOptions {
  readonly rawBody: string | Uint8Array;
  readonly secret: string | readonly string[];
  readonly timestamp: number;
}

const utf8 = /* @__PURE__ */ new TextEncoder();
const keys = /* @__PURE__ */ new Map<string, Promise<CryptoKey>>();

/** Gives the UTF-8 bytes of a text. Any other value is returned as it is. */
export const bytesOf = <T>(body: T | string): T | Uint8Array =>
  typeof body === "string" ? utf8.encode(body) : body;

/**
 * Computes HMAC-SHA-256 of `start` and the body, in hex. With node:crypto, which is
 * many times as fast as WebCrypto, it is not a promise: always `await` it.
 */
export function hmacOf(
  key: string,
  start: string,
  rawBody: string | Uint8Array,
): string | Promise<string> {
  const node = (globalThis as Host).process?.getBuiltinModule?.("crypto");
  return node
    ? node.createHmac("sha256", key).update(start).update(rawBody).digest("hex")
    : subtle(key, start, bytesOf(rawBody));
}

async function subtle(key: string, start: string, body: Uint8Array): Promise<string> {
  const content = new Uint8Array(start.length + body.length);
  content.set(utf8.encode(start));
  content.set(body, start.length);
  const imported =
    keys.get(key) ??
    crypto.subtle.importKey("raw", utf8.encode(key), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
  if (keys.size > 9) keys.clear(); // a host may hold the secrets of many endpoints
  keys.set(key, imported);
  let hex = "";
  for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", await imported, content)))
    hex += (byte + 256).toString(16).slice(1);
  return hex;
}

/**
 * Makes the value of `X-Service-Signature`. It has one `v1` for each secret, in the
 * order given, with the newest first. The key is the whole secret, `whsec_`
 * included. `timestamp` is in Unix seconds.
 */
export async function signWebhook({ rawBody, secret, timestamp }: SignOptions): Promise<string> {
  let header = `t=${timestamp}`;
  for (const key of ([] as string[]).concat(secret))
    header += `,v1=${await hmacOf(key, `${timestamp}.`, rawBody)}`;
  return header;
}
