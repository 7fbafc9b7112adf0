import {
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";

/** A certificate and its private key, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  /** The certificate to trust, in PEM. */
  readonly ca: string;
  /** Signs a certificate for this name; for a server also for localhost and 127.0.0.1. */
  issue(name: string): Identity;
}

/** Makes an authority of its own, because node:crypto reads certificates and writes none. */
export function createAuthority(name = "Authority of a test"): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const sealed = (subject: string, subjectKey: KeyObject, extensions: Buffer) =>
    pem(certificate({ issuer: name, subject, subjectKey, extensions }, privateKey));

  return {
    ca: sealed(name, publicKey, extension("2.5.29.19", sequence(der(0x01, Buffer.from([0xff]))))),
    issue(subject) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return {
        certificate: sealed(subject, pair.publicKey, localNames()),
        key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      };
    },
  };
}

interface Wanted {
  readonly issuer: string;
  readonly subject: string;
  readonly subjectKey: KeyObject;
  readonly extensions: Buffer;
}

/** RFC 5280, section 4.1. */
function certificate(wanted: Wanted, authorityKey: KeyObject): Buffer {
  const algorithm = sequence(objectId("1.2.840.10045.4.3.2"));
  const day = 86_400_000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(wanted.issuer),
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + day)),
    named(wanted.subject),
    wanted.subjectKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(wanted.extensions)),
  );
  const signature = sign("sha256", body, authorityKey);
  return sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

const pem = (written: Buffer): string => new X509Certificate(written).toString();

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((number) => {
    const groups = [number & 127];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const named = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(objectId("2.5.4.3"), der(0x0c, Buffer.from(commonName)))));

const utcTime = (time: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(time).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));

const extension = (id: string, value: Buffer): Buffer => sequence(objectId(id), der(0x04, value));

const localNames = (): Buffer =>
  extension(
    "2.5.29.17",
    sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1]))),
  );
