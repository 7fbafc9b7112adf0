/**
 * Holds the prefix of each kind of id, and what such an id names
 * (docs/contract/conventions.md#conventions).
 */
export const idPrefixes = {
  str: "store",
  key: "API key",
  cat: "category",
  prod: "product",
  pm: "payment method",
  cpn: "coupon",
  cs: "checkout session",
  li: "line item",
  ord: "order",
  oi: "order item",
  cus: "customer",
  ent: "entitlement",
  act: "activation of a license key",
  lic: "uploaded license key",
  sub: "subscription",
  evt: "event",
  we: "webhook endpoint",
  pay: "payment attempt",
  rf: "refund",
  req: "request",
  alr: "alert",
  note: "note on an order",
  aud: "entry of the audit log",
  psn: "person of the dashboard",
} as const;

/** The kinds of ids that this package makes. */
export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Holds the two letters of each value of ten bits. */
const pairs = Array.from(
  { length: 1_024 },
  (_, value) => `${alphabet[value >> 5]}${alphabet[value & 31]}`,
);
const randomPerId = 10;
const batchBytes = 102 * randomPerId;

/**
 * Makes ids in the ULID layout: 48 bits of time, then 80 random bits. Random bytes
 * are fetched in batches, because fetching them takes longer than making an id.
 * For products, the first 20 of these bits count those of one millisecond instead:
 * lists sort products of one position by id, and the rows of a file keep their order.
 */
export function createIds(options: {
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}): (kind: IdKind) => string {
  let pool = new Uint8Array(0);
  let offset = 0;
  let lastTime = -1;
  let timePart = "";
  let products = 0;

  return (kind) => {
    if (offset >= pool.length) {
      pool = new Uint8Array(options.randomBytes(batchBytes));
      offset = 0;
    }

    const now = options.now();
    if (now !== lastTime) {
      lastTime = now;
      timePart = encodeTime(now);
      products = 0;
    }

    const random = encodeRandom(pool, offset);
    const rest = kind === "prod" ? `${encodeCount(products++)}${random.slice(4)}` : random;
    const id = `${kind}_${timePart}${rest}`;
    offset += randomPerId;
    return id;
  };
}

/** Writes 20 bits as two pairs of letters. */
const encodeCount = (count: number): string =>
  `${pairs[(count >> 10) & 1_023]}${pairs[count & 1_023]}`;

function encodeTime(time: number): string {
  let rest = time;
  let text = "";
  for (let index = 0; index < 10; index += 1) {
    text = (alphabet[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * Gives the time at which `createIds` made the id, in epoch milliseconds. Gives
 * null for an id of another layout, because a host may make its own.
 */
export function timeOfId(kind: IdKind, id: string): number | null {
  const [, time] = /^[a-z]+_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? [];
  if (time === undefined || !id.startsWith(`${kind}_`)) return null;

  return [...time].reduce((value, letter) => value * 32 + alphabet.indexOf(letter), 0);
}

/**
 * Gives the first text that an id of `createIds` can be at this time, to compare
 * ids with: an id that was made earlier is smaller.
 */
export const firstIdAt = (kind: IdKind, time: number): string =>
  `${kind}_${encodeTime(Math.max(0, time))}`;

function encodeRandom(bytes: Uint8Array, offset: number): string {
  return fiveBytes(bytes, offset) + fiveBytes(bytes, offset + 5);
}

/** Writes 40 bits as four pairs of letters. */
function fiveBytes(bytes: Uint8Array, at: number): string {
  const middle = bytes[at + 2] ?? 0;
  const high = ((bytes[at] ?? 0) << 12) | ((bytes[at + 1] ?? 0) << 4) | (middle >> 4);
  const low = ((middle & 15) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);

  return `${pairs[high >> 10]}${pairs[high & 1_023]}${pairs[low >> 10]}${pairs[low & 1_023]}`;
}
