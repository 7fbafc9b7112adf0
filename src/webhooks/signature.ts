interface Hmac {
  update(data: string | Uint8Array): Hmac;
  digest(encoding: "hex"): string;
}
type NodeCrypto = { createHmac(name: string, key: string): Hmac } | undefined;

const utf8 = new TextEncoder();

/** Lowercase hex HMAC-SHA256 of `<t>.<body>` under the whole secret (SPEC 6.3). node:crypto where there is one: five times as fast. */
export async function digest(secret: string, t: string, body: Uint8Array | string): Promise<string> {
  const node: NodeCrypto = (globalThis as { process?: { getBuiltinModule?(name: string): NodeCrypto } }).process?.getBuiltinModule?.(
    "crypto",
  );
  if (node) return node.createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
  const { subtle } = crypto;
  const bytes = typeof body === "string" ? utf8.encode(body) : body;
  const content = new Uint8Array(t.length + 1 + bytes.length);
  content.set(utf8.encode(`${t}.`));
  content.set(bytes, t.length + 1);
  const key = await subtle.importKey("raw", utf8.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return Array.from(new Uint8Array(await subtle.sign("HMAC", key, content)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `X-Service-Signature`: one `v1` a secret, in the order given. `timestamp` in unix seconds. */
export async function signWebhook(options: {
  readonly rawBody: string | Uint8Array;
  readonly secret: string | readonly string[];
  readonly timestamp: number;
}): Promise<string> {
  let header = `t=${options.timestamp}`;
  for (const secret of [options.secret].flat()) header += `,v1=${await digest(secret, `${options.timestamp}`, options.rawBody)}`;
  return header;
}
