import { isRecord } from "../../shared/json.ts";

/** A public key of an agent, as a JSON Web Key (RFC 7517). */
export type AgentKey = Readonly<Record<string, unknown>>;

/** Finds the key of a `kid` among those that are for signatures. */
export const findKey = (keys: unknown, kid: string): AgentKey | undefined =>
  Array.isArray(keys)
    ? keys.find((key) => isRecord(key) && key["kid"] === kid && isForSignatures(key))
    : undefined;

function isForSignatures({ use, key_ops }: Record<string, unknown>): boolean {
  if (use !== undefined && use !== "sig") return false;
  return key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes("verify"));
}

/** Tells whether signatures of a key are understood: ES256 alone is. */
export const isEs256 = ({ kty, crv, alg }: AgentKey): boolean =>
  kty === "EC" && crv === "P-256" && (alg === undefined || alg === "ES256");

export const ecdsa = { name: "ECDSA", hash: "SHA-256" } as const;
export const curve = { ...ecdsa, namedCurve: "P-256" } as const;

/** Gives the public half of a key of the curve P-256, and nothing else of it. */
export const pointOf = ({ x, y }: AgentKey) => ({
  kty: "EC",
  crv: "P-256",
  x: String(x),
  y: String(y),
});

/** Imports the public half of a key of the curve P-256. Rejects what is no point of it. */
export const importPublic = (key: AgentKey): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", pointOf(key), curve, false, ["verify"]);

/** Makes the thumbprint of a key of the curve P-256 (RFC 7638). */
export async function thumbprintOf(key: AgentKey): Promise<string> {
  const { calculateJwkThumbprint } = await import("jose");
  return calculateJwkThumbprint(pointOf(key));
}
