import { sha256 } from "../../domain/keys/hash.ts";
import type { IdKind } from "../../domain/keys/ids.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { SessionLine } from "../checkout/session-line.ts";
import type { ProductRecord } from "../records.ts";
import type { LicenseKeyRecord, LineDelivery, ProductDelivery } from "./entitlement-record.ts";

type LicenseDelivery = Extract<ProductDelivery, { readonly type: "license_key" }>;

/** What makes license keys. */
interface KeyMaker {
  readonly keyRing: KeyRing;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
}

/** Adds to each line what its product delivers, as it is now. */
export const withDeliveries = (
  maker: KeyMaker,
  lines: readonly SessionLine[],
  products: readonly ProductRecord[],
): Promise<readonly SessionLine[]> =>
  Promise.all(
    lines.map(async (line, index) => {
      const delivery = products[index]?.delivery;
      return delivery ? { ...line, delivery: await newDelivery(maker, delivery, line) } : line;
    }),
  );

async function newDelivery(
  maker: KeyMaker,
  delivery: ProductDelivery,
  { quantity }: SessionLine,
): Promise<LineDelivery> {
  const id = maker.newId("ent");
  if (delivery.type === "license_key" && delivery.source === "uploaded") {
    const none = { key_hash: null, sealed_key: null, last4: null } as const;
    const more_ids = Array.from({ length: quantity - 1 }, () => maker.newId("ent"));
    return { id, content: { type: "license_key", ...none, ...limitOf(delivery) }, more_ids };
  }

  const content =
    delivery.type === "license_key"
      ? { ...(await newLicenseKey(maker, id)), ...limitOf(delivery) }
      : { ...delivery };
  return { id, content };
}

const limitOf = ({ activations }: LicenseDelivery): Pick<LicenseKeyRecord, "activations"> =>
  activations ? { activations } : {};

/** No letter is taken for another one: Crockford's base 32, like ids. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const keyLetters = 25;

/** Makes a key of 125 random bits, in five groups of five letters. */
async function newLicenseKey(maker: KeyMaker, id: string): Promise<LicenseKeyRecord> {
  const letters = Array.from(maker.randomBytes(keyLetters), (byte) => alphabet[byte & 31]).join("");
  const key = letters.replace(/.{5}(?=.)/g, "$&-");
  return {
    type: "license_key",
    key_hash: await sha256(key),
    sealed_key: await maker.keyRing.seal(key, id),
    last4: key.slice(-4),
  };
}
