import type { WebhookEvent } from "../contract/events.ts";
import { bytesOf, hmacOf } from "./signature.ts";

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

export type Verdict<E = WebhookEvent> =
  | { readonly ok: true; readonly event: E }
  | { readonly ok: false; readonly reason: VerifyFailure };

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

const decoder = /* @__PURE__ */ new TextDecoder();

/** Judges a delivery. Never throws over what was received; a tolerance that is no positive number is a TypeError. */
export async function verifyWebhook<E = WebhookEvent>({
  rawBody,
  header,
  secret,
  now = Math.floor(Date.now() / 1000),
  tolerance = 300,
}: VerifyOptions): Promise<Verdict<E>> {
  if (!(typeof tolerance === "number" && tolerance > 0)) throw TypeError("tolerance");
  const no = (reason: VerifyFailure) => ({ ok: false, reason }) as const;

  const body = bytesOf(rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody);
  if (!(body instanceof Uint8Array)) return no("body_not_raw");
  const secrets = ([] as string[])
    .concat(secret)
    .filter((value) => typeof value === "string" && value);
  if (!secrets.length) return no("missing_secret");
  const text = header?.length === 1 ? header[0] : header;
  if (!text?.length) return no("missing_header");
  let stamp = "";
  const signatures: string[] = [];
  for (let part of typeof text === "string" && text.length < 4097 ? text.split(",") : []) {
    part = part.trim();
    if (part.indexOf("=") < 1) return no("malformed_header");
    if (part.startsWith("t=")) stamp += part; // two of them are no timestamp
    if (part.startsWith("v1=")) signatures.push(part);
  }
  if (!/^t=(0|[1-9]\d{0,11})$/.test(stamp)) return no("malformed_header");
  if (!signatures.length) return no("no_signature");
  const timestamp = +stamp.slice(2);

  let matches = 0;
  for (const key of secrets) {
    const expected = await hmacOf(key, `${timestamp}.`, body);
    for (const given of signatures) {
      // The same work wherever they differ.
      let difference = given.length ^ 67;
      for (let at = 64; at--; ) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at + 3);
      if (!difference) matches++;
    }
  }
  if (!matches) return no("signature_mismatch");
  if (!(now - timestamp <= tolerance)) return no("timestamp_too_old"); // negated, so that a `now` that is no number accepts nothing
  if (timestamp - now > tolerance) return no("timestamp_too_new");
  try {
    return { ok: true, event: JSON.parse(decoder.decode(body)) };
  } catch {
    return no("invalid_json");
  }
}
