import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** RFC 9421, B.1.3: the key `test-key-ecc-p256`. */
export const rfcKey = {
  kty: "EC",
  crv: "P-256",
  kid: "test-key-ecc-p256",
  d: "UpuF81l-kOxbjf7T4mNSv0r5tN67Gim7rnf6EFpcYDs",
  x: "qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA",
  y: "Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0",
};

export type Jwk = Record<string, unknown>;

export const publicOf = ({ d: _, ...key }: Jwk): Jwk => key;

export const digest = (body: string, hash = "sha256"): string =>
  `:${createHash(hash).update(body).digest("base64")}:`;

/** Signs a text as ES256 does. Nothing of the library is used. */
export function signText(base: string, jwk: Jwk): string {
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return `:${sign("sha256", Buffer.from(base), { key, dsaEncoding: "ieee-p1363" }).toString("base64")}:`;
}

export function isSignedBy(jwk: Jwk, base: string, signature: string): boolean {
  const key = createPublicKey({ key: publicOf(jwk), format: "jwk" });
  const bytes = Buffer.from(signature.slice(1, -1), "base64");
  return verify("sha256", Buffer.from(base), { key, dsaEncoding: "ieee-p1363" }, bytes);
}

export interface Signing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: Jwk;
  readonly components: readonly string[];
  /** What stands behind the list of components. */
  readonly params: string;
  readonly label: string;
}

/** Makes the two headers of a signed request. Each component stands as it is to be written. */
export function signMessage({ key, components, params, label, ...message }: Signing) {
  const input = `(${components.join(" ")})${params}`;
  const lines = components.map((name) => `${name}: ${componentOf(message, name)}`);
  const base = [...lines, `"@signature-params": ${input}`].join("\n");
  return { "signature-input": `${label}=${input}`, signature: `${label}=${signText(base, key)}` };
}

function componentOf(
  { method, url, headers }: Pick<Signing, "method" | "url" | "headers">,
  component: string,
): string {
  const { host, pathname, search } = new URL(url);
  const [, name = ""] = /^"([^"]+)"/.exec(component) ?? [];
  const derived: Record<string, string> = {
    "@method": method,
    "@authority": host,
    "@path": pathname,
    "@query": search || "?",
    "@target-uri": url,
    "@scheme": "https",
  };
  const [, member] = /;key="([^"]+)"/.exec(component) ?? [];
  const value = derived[name] ?? headers[name] ?? "";
  return member === undefined
    ? value
    : value.slice(value.indexOf(`${member}=`) + member.length + 1);
}

/** Gives what an answer of the library has signed, as RFC 9421 makes it of the answer. */
export function baseOfAnswer(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  label = "sig1",
) {
  const input = (headers.get("signature-input") ?? "").slice(label.length + 1);
  const names = [...input.slice(0, input.indexOf(")")).matchAll(/"([^"]+)"/g)].map(
    ([, one]) => one,
  );
  const lines = names.map((name = "") =>
    name === "@status" ? `"@status": ${status}` : `"${name}": ${headers.get(name)}`,
  );
  return {
    names,
    params: input.slice(input.indexOf(")") + 1),
    base: [...lines, `"@signature-params": ${input}`].join("\n"),
    signature: (headers.get("signature") ?? "").slice(label.length + 1),
  };
}
