import { base64url } from "../../domain/keys/hash.ts";
import { type Cbor, readWhole } from "./cbor.ts";

/** The signatures that are taken, by their numbers at IANA: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257] as const;
type Algorithm = (typeof algorithms)[number];

/** A public key, and how signatures by it are checked. */
interface Verifier {
  readonly key: CryptoKey;
  readonly algorithm: Algorithm;
}

/**
 * Reads a public key in COSE's form (RFC 9053). Throws for a key of another algorithm, or
 * one that is weaker than the algorithm asks. What the key signs with stands in the key
 * itself, so that no answer chooses a weaker one.
 */
export async function readPublicKey(cose: Uint8Array): Promise<Verifier> {
  const fields = readWhole(cose);
  if (!(fields instanceof Map)) return refuse();

  const algorithm = algorithms.find((each) => each === fields.get(label.algorithm));
  if (algorithm === undefined) return refuse();
  return { key: await importers[algorithm](fields), algorithm };
}

const label = { kind: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 };

type Fields = ReadonlyMap<Cbor, Cbor>;

const importers: Readonly<Record<Algorithm, (fields: Fields) => Promise<CryptoKey>>> = {
  [-7](fields) {
    if (fields.get(label.kind) !== 2 || fields.get(label.curve) !== 1) refuse();
    const point = new Uint8Array([4, ...part(fields, label.x, 32), ...part(fields, label.y, 32)]);
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    return crypto.subtle.importKey("raw", point, algorithm, false, ["verify"]);
  },
  [-8](fields) {
    if (fields.get(label.kind) !== 1 || fields.get(label.curve) !== 6) refuse();
    const point = new Uint8Array(part(fields, label.x, 32));
    return crypto.subtle.importKey("raw", point, "Ed25519", false, ["verify"]);
  },
  [-257](fields) {
    const modulus = fields.get(label.modulus);
    const exponent = base64url(part(fields, label.exponent, 3));
    const isStrong = modulus instanceof Uint8Array && modulus.length >= 256 && modulus[0] !== 0;
    if (fields.get(label.kind) !== 3 || exponent !== "AQAB" || !isStrong) return refuse();
    if (modulus.length > 1_024) return refuse();

    const jwk = { kty: "RSA", n: base64url(modulus), e: exponent };
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    return crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  },
};

function part(fields: Fields, name: number, length: number): Uint8Array {
  const value = fields.get(name);
  return value instanceof Uint8Array && value.length === length ? value : refuse();
}

const refuse = (): never => {
  throw new RangeError("This is not the public key of a passkey.");
};

/** Tells whether a signature is that of the key over the bytes. */
export async function isSignedBy(
  { key, algorithm }: Verifier,
  signature: Uint8Array,
  signed: Uint8Array,
): Promise<boolean> {
  const given = algorithm === -7 ? rawSignature(signature) : signature;
  if (given === null) return false;
  const how = algorithm === -7 ? { name: "ECDSA", hash: "SHA-256" } : key.algorithm.name;
  return crypto.subtle.verify(how, key, new Uint8Array(given), new Uint8Array(signed));
}

/**
 * Turns a signature of ES256 from DER, which authenticators write, into the two numbers of
 * 32 bytes that Web Crypto reads. Gives null for anything but the one right form.
 */
function rawSignature(der: Uint8Array): Uint8Array | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const first = readInteger(der, 2);
  const second = first && readInteger(der, first.end);
  if (!first || second?.end !== der.length) return null;

  const raw = new Uint8Array(64);
  raw.set(first.bytes, 32 - first.bytes.length);
  raw.set(second.bytes, 64 - second.bytes.length);
  return raw;
}

function readInteger(
  der: Uint8Array,
  at: number,
): { readonly bytes: Uint8Array; readonly end: number } | null {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  const [first = 0x80, second = 0] = der.subarray(at + 2, end);
  if (der[at] !== 2 || length === 0 || end > der.length || first >= 0x80) return null;

  // A zero stands before a number whose first bit is set, and before no other one.
  const hasZero = first === 0 && length > 1;
  if (hasZero && second < 0x80) return null;
  const bytes = der.slice(at + (hasZero ? 3 : 2), end);
  return bytes.length <= 32 ? { bytes, end } : null;
}
