import type { WireReply } from "../../../http/wire.ts";
import { invalidOption } from "../../../input/option-error.ts";
import { isRecord } from "../../shared/json.ts";
import { type AgentKey, curve, ecdsa, importPublic, pointOf } from "./agent-keys.ts";
import { contentDigest } from "./digest.ts";
import { type SignedParts, signatureBase } from "./signature-base.ts";
import { parseDictionary, writeBytes } from "./structured-fields.ts";

/** Signs messages with the store's key. */
export interface Signer {
  /** The public half of the key, as the profile shows it. */
  readonly publicKey: AgentKey;
  /** Makes the headers `Signature-Input` and `Signature` over these components. */
  sign(parts: SignedParts, components: readonly string[], now: number): Promise<SignatureHeaders>;
}

interface SignatureHeaders {
  readonly "signature-input": string;
  readonly signature: string;
}

const example = '{ kid, kty: "EC", crv: "P-256", x, y, d }';
const coordinate = /^[A-Za-z0-9_-]{43}$/;

/** Makes a signer of a private JSON Web Key. Throws `invalid_option` for any other key. */
export function signerOf(given: unknown): Signer {
  const { kid, kty, crv, alg = "ES256", x, y, d } = isRecord(given) ? given : {};
  const isKey = kty === "EC" && crv === "P-256" && alg === "ES256";
  if (!isKey || ![x, y, d].every((part) => typeof part === "string" && coordinate.test(part)))
    invalidOption(
      "signingKey",
      `must be a private JSON Web Key of ES256, ${example}: docs/agents.md shows how to make one`,
    );
  if (typeof kid !== "string" || !/^[ -~]{1,200}$/.test(kid))
    invalidOption(
      "signingKey",
      "must have a kid of 1 to 200 ASCII characters, such as the date of the key",
    );

  const publicKey = { kid, kty, crv, x, y, use: "sig", alg };
  let imported: Promise<CryptoKey> | undefined;
  return {
    publicKey,
    async sign(parts, components, now) {
      imported ??= importPrivate(publicKey, String(d));
      const covered = components.map((name) => JSON.stringify(name)).join(" ");
      const created = Math.floor(now / 1_000);
      const input = `sig1=(${covered});created=${created};keyid=${JSON.stringify(kid)}`;
      const bytes = new TextEncoder().encode(baseOf(parts, input));
      const signature = await crypto.subtle.sign(ecdsa, await imported, bytes);
      const written = writeBytes(new Uint8Array(signature));
      return { "signature-input": input, signature: `sig1=${written}` };
    },
  };
}

function baseOf(parts: SignedParts, input: string): string {
  const member = parseDictionary(input)?.get("sig1");
  const made = member && signatureBase(parts, member);
  if (!made || "lacks" in made) throw new Error(`Nothing can be signed as ${input}.`);
  return made.base;
}

/** Imports the key, and tries it: agents could verify nothing if its halves were of two keys. */
async function importPrivate(publicKey: AgentKey, d: string): Promise<CryptoKey> {
  const jwk = { ...pointOf(publicKey), d };
  const key = await crypto.subtle.importKey("jwk", jwk, curve, false, ["sign"]);
  const tried = new Uint8Array(1);
  const signature = await crypto.subtle.sign(ecdsa, key, tried);
  if (await crypto.subtle.verify(ecdsa, await importPublic(publicKey), signature, tried))
    return key;
  throw new Error("Option signingKey: its d is not that of x and y.");
}

/** Signs an answer: its status, its body and the type of the body. */
export async function signReply(reply: WireReply, signer: Signer, now: number): Promise<WireReply> {
  const body = new TextEncoder().encode(String(reply.body ?? ""));
  const headers: Record<string, string> = {
    ...reply.headers,
    "content-digest": await contentDigest(body),
  };
  const parts = {
    derived: { "@status": String(reply.status) },
    header: (name: string) => headers[name],
  };
  const components = ["@status", "content-digest", "content-type"];
  return { ...reply, headers: { ...headers, ...(await signer.sign(parts, components, now)) } };
}
