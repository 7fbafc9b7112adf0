import { ApiError } from "../../contract/errors.ts";
import { base64url, fromBase64url, hmacSha256 } from "./hash.ts";

/**
 * The deployment's seal keys, newest first. The id of a key is a short hash of it,
 * which stored texts name so that they can be opened with the same key.
 */
export interface KeyRing {
  readonly current: { readonly id: string };
  readonly ids: readonly string[];
  /**
   * Encrypts with the newest key (AES-256-GCM). The text opens only with the same
   * `aad`.
   */
  seal(plain: string, aad: string): Promise<string>;
  /** Throws `invalid_option` for `sealKey` when no key of the ring opens the text. */
  unseal(sealed: string, aad: string): Promise<string>;
  /**
   * Derives the key of one purpose. Throws `invalid_option` for an id that is not
   * in the ring.
   */
  derive(id: string, label: string): Promise<Uint8Array>;
}

const nonceLength = 12;
const utf8 = new TextEncoder();

export function createKeyRing(
  keys: readonly Uint8Array[],
  randomBytes: (length: number) => Uint8Array,
): KeyRing {
  const ids = keys.map(shortId);
  const [currentId] = ids;
  if (currentId === undefined) throw new Error("A key ring needs a key.");
  const derived = new Map<string, Promise<Uint8Array>>();

  const derive = (id: string, label: string): Promise<Uint8Array> => {
    const name = `${id}:${label}`;
    const known = derived.get(name);
    if (known) return known;

    const key = keys[ids.indexOf(id)];
    if (!key) return Promise.reject(missingKey());

    const made = Promise.resolve(hmacSha256(key, `vitrine/${label}`));
    derived.set(name, made);
    return made;
  };

  const aesKey = async (id: string, use: "encrypt" | "decrypt") => {
    const bytes = new Uint8Array(await derive(id, "seal"));
    return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, [use]);
  };

  return {
    current: { id: currentId },
    ids,
    derive,

    async seal(plain, aad) {
      const iv = new Uint8Array(randomBytes(nonceLength));
      const cipher = { name: "AES-GCM", iv, additionalData: utf8.encode(aad) };
      const key = await aesKey(currentId, "encrypt");

      const sealed = await crypto.subtle.encrypt(cipher, key, utf8.encode(plain));
      return `${currentId}.${base64url(iv)}.${base64url(new Uint8Array(sealed))}`;
    },

    async unseal(text, aad) {
      const [id = "", nonce = "", body = ""] = text.split(".");
      const iv = fromBase64url(nonce);
      const sealed = fromBase64url(body);
      if (!iv || !sealed) throw missingKey();

      const additionalData = utf8.encode(aad);
      const cipher = { name: "AES-GCM", iv: new Uint8Array(iv), additionalData };
      const key = await aesKey(id, "decrypt");
      try {
        const plain = await crypto.subtle.decrypt(cipher, key, new Uint8Array(sealed));
        return new TextDecoder().decode(plain);
      } catch {
        throw missingKey();
      }
    },
  };
}

/**
 * Computes an FNV-1a hash in two lanes. Its 32 bits do not help anyone to guess a
 * key of 256 bits.
 */
function shortId(key: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const byte of key) {
    a = Math.imul(a ^ byte, 0x01000193) >>> 0;
    b = Math.imul(b ^ byte, 0x811c9dc5) >>> 0;
  }
  return (a ^ b).toString(36).padStart(7, "0");
}

const missingKey = (): ApiError =>
  new ApiError("invalid_option", {
    param: "sealKey",
    message:
      "Option sealKey does not hold the key that a stored secret was sealed with: " +
      "add the old key to the end of sealKeys.",
  });
