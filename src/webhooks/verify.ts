import type { EventOf, EventType, WebhookEvent } from "../contract/events.ts";
import { bytesOf, hmacOf } from "./signature.ts";

export type { EventOf, WebhookEvent } from "../contract/events.ts";
export { type SignOptions, signWebhook } from "./signature.ts";

/** Why a delivery is refused. The list is closed: no reason is added to it. */
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

/** The result of checking a message: its event, or the reason why it is not genuine. */
export type Verdict<E = WebhookEvent> =
  | { readonly ok: true; readonly event: E }
  | { readonly ok: false; readonly reason: VerifyFailure };

/** The values with which the signature of a message is checked. */
export interface VerifyOptions {
  /** The body's bytes as they were received, before any JSON parsing. */
  readonly rawBody: string | Uint8Array | ArrayBuffer;
  /** The value of `X-Service-Signature`. */
  readonly header: string | readonly string[] | null | undefined;
  /**
   * The endpoint's secret, `whsec_` included. There are several during a
   * rotation.
   */
  readonly secret: string | readonly string[];
  /** The current time in Unix seconds. By default the clock gives it. */
  readonly now?: number | undefined;
  /**
   * The signature's time may differ from `now` by this many seconds, both ways,
   * inclusive. It is 300 by default.
   */
  readonly tolerance?: number | undefined;
}

const decoder = /* @__PURE__ */ new TextDecoder();

/**
 * Judges a delivery. It never throws because of what was received. It throws a
 * TypeError when the tolerance is not a positive number. Name the types that the
 * endpoint gets, as in `verifyWebhook<"order.paid">(…)`, and the event has their type.
 */
export async function verifyWebhook<E = WebhookEvent>({
  rawBody,
  header,
  secret,
  now = Math.floor(Date.now() / 1000),
  tolerance = 300,
}: VerifyOptions): Promise<Verdict<E extends EventType ? EventOf<E> : E>> {
  if (!(typeof tolerance === "number" && tolerance > 0)) throw TypeError("tolerance");
  const refuse = (reason: VerifyFailure) => ({ ok: false, reason }) as const;

  const body = bytesOf(rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody);
  if (!(body instanceof Uint8Array)) return refuse("body_not_raw");

  const secrets = ([] as string[])
    .concat(secret)
    .filter((value) => typeof value === "string" && value);
  if (!secrets.length) return refuse("missing_secret");

  const text = header?.length === 1 ? header[0] : header;
  if (!text?.length) return refuse("missing_header");

  let stamp = "";
  const signatures: string[] = [];
  for (let part of typeof text === "string" && text.length < 4097 ? text.split(",") : []) {
    part = part.trim();
    if (part.indexOf("=") < 1) return refuse("malformed_header");
    if (part.startsWith("t=")) stamp += part; // two of them are not a valid timestamp
    if (part.startsWith("v1=")) signatures.push(part);
  }

  if (!/^t=(0|[1-9]\d{0,11})$/.test(stamp)) return refuse("malformed_header");
  if (!signatures.length) return refuse("no_signature");
  const timestamp = +stamp.slice(2);

  let matches = 0;
  for (const key of secrets) {
    const expected = await hmacOf(key, `${timestamp}.`, body);
    for (const signature of signatures) {
      // Compares 64 hex digits with a `v1=…` in the same time wherever the two differ.
      let difference = signature.length ^ 67;
      for (let at = 64; at--; )
        difference |= expected.charCodeAt(at) ^ signature.charCodeAt(at + 3);
      if (!difference) matches++;
    }
  }

  if (!matches) return refuse("signature_mismatch");
  // The test is negated so that a `now` of NaN accepts nothing.
  if (!(now - timestamp <= tolerance)) return refuse("timestamp_too_old");
  if (timestamp - now > tolerance) return refuse("timestamp_too_new");

  try {
    return { ok: true, event: JSON.parse(decoder.decode(body)) };
  } catch {
    return refuse("invalid_json");
  }
}
