import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What an honest authenticator and browser would not do. Each is left out by default. */
export interface Lie {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The flags of the authenticator's data. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  /** Changes the data after it was signed. */
  readonly tamper?: (data: Buffer) => Buffer;
  /** The COSE key in place of the own one. */
  readonly cose?: Buffer;
  readonly signature?: Buffer;
}

type Algorithm = "ES256" | "EdDSA" | "RS256";

const head = (kind: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(kind << 5) | length]);
  if (length < 256) return Buffer.from([(kind << 5) | 24, length]);
  return Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
};

/** Writes a value as CBOR, as far as keys and statements need it. */
export function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  throw new Error("The authenticator writes no such value.");
}

const bytesOf = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url");

function newKey(algorithm: Algorithm): { key: KeyObject; cose: Buffer } {
  if (algorithm === "ES256") {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    const fields: [number, unknown][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ];
    return { key: privateKey, cose: cbor(new Map(fields)) };
  }
  if (algorithm === "EdDSA") {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { x } = publicKey.export({ format: "jwk" });
    const fields: [number, unknown][] = [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(x)],
    ];
    return { key: privateKey, cose: cbor(new Map(fields)) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const { n, e } = publicKey.export({ format: "jwk" });
  const fields: [number, unknown][] = [
    [1, 3],
    [3, -257],
    [-1, bytesOf(n)],
    [-2, bytesOf(e)],
  ];
  return { key: privateKey, cose: cbor(new Map(fields)) };
}

const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();

/** What a page asks of the browser. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** A device with one passkey, and a browser at an origin that speaks to it. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #made: { readonly key: KeyObject; readonly cose: Buffer };
  readonly #algorithm: Algorithm;
  readonly #origin: string;
  userHandle = "";
  counter = 0;

  constructor(origin: string, algorithm: Algorithm = "ES256") {
    this.#origin = origin;
    this.#algorithm = algorithm;
    this.#made = newKey(algorithm);
  }

  /** Answers `navigator.credentials.create`, as the page sends it. */
  create(options: Options, lie: Lie = {}): string {
    this.userHandle = options.user?.id ?? "";
    const id = lie.id === undefined ? this.id : Buffer.from(lie.id, "base64url");
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const made = Buffer.concat([Buffer.alloc(16), length, this.id, lie.cose ?? this.#made.cose]);
    const data = Buffer.concat([this.#data(options.rp?.id ?? "", 0x45, lie), made]);
    const authData = lie.tamper?.(data) ?? data;
    const statement = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return JSON.stringify({
      id: id.toString("base64url"),
      clientDataJSON: this.#client("webauthn.create", options, lie).toString("base64url"),
      attestationObject: cbor(statement).toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers `navigator.credentials.get`, as the page sends it. */
  get(options: Options, lie: Lie = {}): string {
    const client = this.#client("webauthn.get", options, lie);
    const data = this.#data(options.rpId ?? "", 0x05, lie);
    const signed = Buffer.concat([data, sha256(client)]);
    const hash = this.#algorithm === "EdDSA" ? null : "sha256";
    const signature = lie.signature ?? sign(hash, signed, this.#made.key);
    return JSON.stringify({
      id: lie.id ?? this.id.toString("base64url"),
      clientDataJSON: client.toString("base64url"),
      authenticatorData: (lie.tamper?.(data) ?? data).toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: lie.userHandle ?? this.userHandle,
    });
  }

  #data(rpId: string, flags: number, lie: Lie): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? this.counter);
    return Buffer.concat([sha256(lie.rpId ?? rpId), Buffer.from([lie.flags ?? flags]), counter]);
  }

  #client(type: string, { challenge }: Options, lie: Lie): Buffer {
    const said = {
      type: lie.type ?? type,
      challenge: Buffer.from(lie.challenge ?? challenge).toString("base64url"),
      origin: lie.origin ?? this.#origin,
      crossOrigin: lie.crossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(said));
  }
}
