import { parseDictionary, writeBytes } from "./structured-fields.ts";

/** The algorithms of `Content-Digest` (RFC 9530) that are judged. The protocol wants the first. */
const hashes: Readonly<Record<string, string>> = { "sha-256": "SHA-256", "sha-512": "SHA-512" };

/** Makes the header `Content-Digest` of a body. */
export const contentDigest = async (body: Uint8Array): Promise<string> =>
  `sha-256=${await digestOf("SHA-256", body)}`;

/** Says what is wrong with the header `Content-Digest`; null when nothing is. */
export async function digestFault(
  header: string | undefined,
  body: Uint8Array,
): Promise<string | null> {
  const given = parseDictionary(header ?? "");
  if (!given?.has("sha-256")) return "Content-Digest must have the sha-256 of the body.";

  for (const [algorithm, { text }] of given) {
    const hash = Object.hasOwn(hashes, algorithm) ? hashes[algorithm] : undefined;
    if (hash !== undefined && text !== (await digestOf(hash, body)))
      return `The ${algorithm} of Content-Digest is not that of the body.`;
  }
  return null;
}

async function digestOf(hash: string, body: Uint8Array): Promise<string> {
  return writeBytes(new Uint8Array(await crypto.subtle.digest(hash, new Uint8Array(body))));
}
