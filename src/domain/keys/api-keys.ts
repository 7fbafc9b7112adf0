import { crc32 } from "./crc32.ts";

/** What the prefix of a key says about it. */
export interface KeyShape {
  readonly livemode: boolean;
  readonly kind: "publishable" | "secret";
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 43;
const checkLength = 6;
const keyPattern = /^hk_(live|test)_(pub|sec)_[0-9A-Za-z]{49}$/;
const keyLength = "hk_live_pub_".length + bodyLength + checkLength;

/** Writes a number in base 62, big-endian and padded with zeros to `length`. */
export function base62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text = (digits[Number(rest % 62n)] ?? "") + text;
    rest /= 62n;
  }
  return text;
}

export const keyPrefix = ({ livemode, kind }: KeyShape): string =>
  `hk_${livemode ? "live" : "test"}_${kind === "secret" ? "sec" : "pub"}_`;

/**
 * Makes a key of 256 random bits and a checksum of the text before it. The checksum
 * lets a mistyped key be refused without a look-up (docs/contract/access.md#keys).
 */
export function createApiKey(
  keyShape: KeyShape,
  randomBytes: (length: number) => Uint8Array,
): string {
  const text = keyPrefix(keyShape) + randomBody(randomBytes);
  return text + checksum(text);
}

/** Returns null unless the text has the form of a key and its checksum is right. */
export function parseApiKey(text: string): KeyShape | null {
  if (text.length !== keyLength) return null;

  const match = keyPattern.exec(text);
  if (!match) return null;
  if (checksum(text.slice(0, -checkLength)) !== text.slice(-checkLength)) return null;

  return { livemode: match[1] === "live", kind: match[2] === "sec" ? "secret" : "publishable" };
}

export const createWebhookSecret = (randomBytes: (length: number) => Uint8Array): string =>
  `whsec_${randomBody(randomBytes)}`;

/**
 * Computes a CRC-32 in base 62. Plain numbers are faster than BigInt, and each
 * request computes one.
 */
function checksum(text: string): string {
  let rest = crc32(text);
  let check = "";
  for (let index = 0; index < checkLength; index += 1) {
    check = (digits[rest % 62] ?? "") + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

function randomBody(randomBytes: (length: number) => Uint8Array): string {
  const value = randomBytes(32).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return base62(value, bodyLength);
}
