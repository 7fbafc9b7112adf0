import type { WebhookEvent } from "../contract/events.ts";
import { bytesOf, hmacOf } from "./signature.ts";

export type { WebhookEvent } from "../contract/events.ts";
export { type SignOptions, signWebhook } from "./signature.ts";

/** Says why a delivery is refused. The list is closed: no reason is added to it. */
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
 * TypeError when the tolerance is not a positive number.
 */
export async function verifyWebhook<E = WebhookEvent>({
  rawBody,
  header,
  secret,
  now = Math.floor(Date.now() / 1000),
  tolerance = 300,
}: VerifyOptions): Promise<Verdict<E>> {
  if (typeof tolerance !== "number" || !(tolerance > 0))
    throw TypeError("tolerance must be a positive number");
  const refuse = (reason: VerifyFailure) => ({ ok: false, reason }) as const;

  const body = bytesOf(rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody);
  if (!(body instanceof Uint8Array)) return refuse("body_not_raw");

  const secrets = usableSecrets(secret);
  if (!secrets.length) return refuse("missing_secret");

  const text = header?.length === 1 ? header[0] : header;
  if (!text?.length) return refuse("missing_header");

  const parts = splitHeader(text);
  const timestamp = parseTimestamp(parts);
  if (Number.isNaN(timestamp)) return refuse("malformed_header");

  const signatures = parts.filter((part) => part.startsWith("v1="));
  if (!signatures.length) return refuse("no_signature");

  let matches = 0;
  for (const key of secrets) {
    const expected = `v1=${await hmacOf(key, `${timestamp}.`, body)}`;
    for (const signature of signatures) if (isSameText(expected, signature)) matches++;
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

/** Gives the secrets that are texts and not empty. */
const usableSecrets = (secret: VerifyOptions["secret"]): readonly string[] =>
  ([] as string[]).concat(secret).filter((value) => typeof value === "string" && value);

/** Gives the parts of a header, or none when one of them is not `name=value`. */
function splitHeader(text: string | readonly string[]): readonly string[] {
  const parts = typeof text === "string" && text.length < 4_097 ? text.split(",") : [];
  const trimmed = parts.map((part) => part.trim());
  return trimmed.some((part) => part.indexOf("=") < 1) ? [] : trimmed;
}

/** Gives NaN unless there is one time: the comma that joins two is no digit. */
function parseTimestamp(parts: readonly string[]): number {
  const times = parts.filter((part) => part.startsWith("t="));
  return Number(/^t=(0|[1-9]\d{0,11})$/.exec(times.join())?.[1]);
}

/** Compares two texts of one length in the same time wherever they differ. */
function isSameText(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at++)
    difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
