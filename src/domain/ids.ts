/** CONTRACT 1: what an id names. */
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
  sub: "subscription",
  evt: "event",
  we: "webhook endpoint",
  pay: "payment attempt",
  rf: "refund",
  req: "request",
  alr: "alert",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const randomPerId = 10;
const batch = 102 * randomPerId;

/** ULID layout: 48 bits of time, 80 random bits. Randomness is fetched in batches: asking for it costs more than the id. */
export function createIds(options: {
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}): (kind: IdKind) => string {
  let pool = new Uint8Array(0);
  let offset = 0;
  let lastTime = -1;
  let timePart = "";
  return (kind) => {
    if (offset >= pool.length) {
      pool = new Uint8Array(options.randomBytes(batch));
      offset = 0;
    }
    const now = options.now();
    if (now !== lastTime) {
      lastTime = now;
      timePart = encodeTime(now);
    }
    const id = `${kind}_${timePart}${encodeRandom(pool, offset)}`;
    offset += randomPerId;
    return id;
  };
}

function encodeTime(time: number): string {
  let rest = time;
  let text = "";
  for (let index = 0; index < 10; index += 1) {
    text = (alphabet[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** 5 bytes are 8 characters; they are done in two halves. */
function encodeRandom(bytes: Uint8Array, offset: number): string {
  return fiveBytes(bytes, offset) + fiveBytes(bytes, offset + 5);
}

function fiveBytes(bytes: Uint8Array, at: number): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3], bytes[at + 4]];
  const letter = (value: number): string => alphabet[value & 31] ?? "";
  return (
    letter(a >> 3) +
    letter((a << 2) | (b >> 6)) +
    letter(b >> 1) +
    letter((b << 4) | (c >> 4)) +
    letter((c << 1) | (d >> 7)) +
    letter(d >> 2) +
    letter((d << 3) | (e >> 5)) +
    letter(e)
  );
}
