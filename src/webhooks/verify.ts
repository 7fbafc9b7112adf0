import type { WebhookEvent } from "../contract/events.ts";
import { digest } from "./signature.ts";

export type { WebhookEvent } from "../contract/events.ts";
export { signWebhook } from "./signature.ts";

/** Why a delivery is refused; the list is closed. */
export type VerifyFailure =
  | "body_not_raw"
  | "missing_secret"
  | "missing_header"
  | "malformed_header"
  | "no_signature"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "invalid_json";

export type Verdict<E = WebhookEvent> = { readonly ok: true; readonly event: E } | { readonly ok: false; readonly reason: VerifyFailure };

export interface VerifyOptions {
  /** The body's bytes as received, before any JSON parsing. */
  readonly rawBody: string | Uint8Array | ArrayBuffer;
  /** The value of `X-Service-Signature`. */
  readonly header: string | readonly string[] | null | undefined;
  /** The endpoint's secret, `whsec_` included; several during a rotation. */
  readonly secret: string | readonly string[];
  /** Unix seconds; the clock's time by default. */
  readonly now?: number;
  /** Seconds that the signature may differ from `now`, both ways, inclusive; 300 by default (SPEC 6.3). */
  readonly tolerance?: number;
}

/** Judges a delivery. Never throws over what was received; a tolerance that is no positive number is a TypeError. */
export async function verifyWebhook<E = WebhookEvent>(options: VerifyOptions): Promise<Verdict<E>> {
  const { rawBody, header, secret, now = Math.floor(Date.now() / 1000), tolerance = 300 } = options;
  if (!(tolerance > 0)) throw new TypeError("tolerance must be a positive number of seconds");
  const no = (reason: VerifyFailure) => ({ ok: false, reason }) as const;

  const body = rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return no("body_not_raw");
  const secrets = [secret].flat().filter((value) => typeof value === "string" && value);
  if (!secrets.length) return no("missing_secret");
  if (header == null || !header.length) return no("missing_header");
  const text = typeof header === "string" ? header : header.length === 1 ? header[0] : undefined;
  if (text === "") return no("missing_header");
  if (typeof text !== "string" || text.length > 4096) return no("malformed_header");

  let t: string | undefined;
  const signatures: string[] = [];
  for (const part of text.split(",")) {
    const [, name, value = ""] = /^[ \t]*([^=]+)=(.*?)[ \t]*$/.exec(part) ?? [];
    if (!name || (name === "t" && (t !== undefined || !/^(0|[1-9]\d{0,11})$/.test(value)))) return no("malformed_header");
    if (name === "t") t = value;
    if (name === "v1") signatures.push(value);
  }
  if (t === undefined) return no("malformed_header");
  if (!signatures.length) return no("no_signature");

  let match = 0;
  for (const key of secrets) {
    const expected = await digest(key, t, body);
    for (const given of signatures) {
      let difference = given.length ^ 64;
      for (let at = 0; at < 64; at++) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
      match |= +!difference;
    }
  }
  if (!match) return no("signature_mismatch");
  if (now - +t > tolerance) return no("timestamp_too_old");
  if (+t - now > tolerance) return no("timestamp_too_new");
  try {
    const json = typeof body === "string" ? body.replace(/^\ufeff/, "") : new TextDecoder().decode(body);
    return { ok: true, event: JSON.parse(json) };
  } catch {
    return no("invalid_json");
  }
}
