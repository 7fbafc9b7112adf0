import { readCbor } from "./cbor.ts";

/** What an authenticator says and signs (Web Authentication, 6.1). */
export interface AuthenticatorData {
  /** The SHA-256 of the domain that the key belongs to. */
  readonly rpIdHash: Uint8Array;
  readonly isPresent: boolean;
  /** The person was verified, by a finger, a face or a number. */
  readonly isVerified: boolean;
  readonly counter: number;
  /** The new key. Null when none was made. */
  readonly made: { readonly id: Uint8Array; readonly publicKey: Uint8Array } | null;
}

const flag = { present: 1, verified: 4, eligible: 8, backedUp: 16, made: 64, extended: 128 };

/** Reads the bytes of an authenticator. Throws a `RangeError` when they say something else. */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  const flags = bytes[32] ?? 0;
  const has = (bit: number): boolean => (flags & bit) !== 0;
  if (bytes.length < 37 || (has(flag.backedUp) && !has(flag.eligible))) refuse();

  const made = has(flag.made) ? readKey(bytes, 37) : null;
  const after = made?.end ?? 37;
  const end = has(flag.extended) ? readCbor(bytes, after).end : after;
  if (end !== bytes.length) refuse();

  return {
    rpIdHash: bytes.slice(0, 32),
    isPresent: has(flag.present),
    isVerified: has(flag.verified),
    counter: new DataView(bytes.buffer, bytes.byteOffset).getUint32(33),
    made,
  };
}

/** The most bytes that the id of a key has. */
const mostIdBytes = 1_023;

/** Reads the new key behind the 16 bytes that name the kind of authenticator. */
function readKey(
  bytes: Uint8Array,
  start: number,
): { readonly id: Uint8Array; readonly publicKey: Uint8Array; readonly end: number } {
  const at = start + 18;
  const length = ((bytes[at - 2] ?? 0) << 8) | (bytes[at - 1] ?? 0);
  if (length === 0 || length > mostIdBytes || at + length > bytes.length) refuse();

  const { end } = readCbor(bytes, at + length);
  return {
    id: bytes.slice(at, at + length),
    publicKey: bytes.slice(at + length, end),
    end,
  };
}

const refuse = (): never => {
  throw new RangeError("These bytes are not what an authenticator writes.");
};
