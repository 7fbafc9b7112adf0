/** What authenticators write: the part of CBOR (RFC 8949) with lengths that are told. */
export type Cbor =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<Cbor, Cbor>;

/** A value, and where the bytes behind it begin. */
interface Read<Value> {
  readonly value: Value;
  readonly end: number;
}

/** Maps of authenticators hold a key or a statement, and no deeper one. */
const deepest = 4;

/**
 * Reads the value that begins at a byte. Throws a `RangeError` for anything else, also for
 * a map that has a key twice, which two readers would read in two ways.
 */
export function readCbor(bytes: Uint8Array, at = 0, depth = 0): Read<Cbor> {
  const first = bytes[at];
  if (first === undefined || depth > deepest) return refuse();

  const { value: length, end } = readLength(bytes, at + 1, first & 31);
  switch (first >> 5) {
    case 0:
      return { value: length, end };
    case 1:
      return { value: -1 - length, end };
    case 2:
      return { value: partOf(bytes, end, length), end: end + length };
    case 3: {
      const text = new TextDecoder("utf-8", { fatal: true });
      return { value: text.decode(partOf(bytes, end, length)), end: end + length };
    }
    case 4:
      return readList(bytes, end, { length, depth });
    case 5:
      return readMap(bytes, end, { length, depth });
    case 7:
      return { value: simple(first & 31), end };
    default:
      return refuse();
  }
}

/** Reads a value that all bytes belong to. */
export function readWhole(bytes: Uint8Array): Cbor {
  const { value, end } = readCbor(bytes);
  return end === bytes.length ? value : refuse();
}

const refuse = (): never => {
  throw new RangeError("These bytes are not what an authenticator writes.");
};

function readLength(bytes: Uint8Array, at: number, short: number): Read<number> {
  if (short < 24) return { value: short, end: at };
  const size = { 24: 1, 25: 2, 26: 4 }[short] ?? refuse();
  const value = partOf(bytes, at, size).reduce((sum, byte) => sum * 256 + byte, 0);
  return { value, end: at + size };
}

/** Gives a copy, so that nobody changes the bytes that are read. */
function partOf(bytes: Uint8Array, at: number, length: number): Uint8Array {
  return at + length <= bytes.length ? bytes.slice(at, at + length) : refuse();
}

interface Size {
  readonly length: number;
  readonly depth: number;
}

function readList(bytes: Uint8Array, at: number, { length, depth }: Size): Read<Cbor> {
  const value: Cbor[] = [];
  let end = at;
  while (value.length < length) {
    const each = readCbor(bytes, end, depth + 1);
    value.push(each.value);
    end = each.end;
  }
  return { value, end };
}

function readMap(bytes: Uint8Array, at: number, { length, depth }: Size): Read<Cbor> {
  const value = new Map<Cbor, Cbor>();
  let end = at;
  while (value.size < length) {
    const key = readCbor(bytes, end, depth + 1);
    if (value.has(key.value)) refuse();
    const each = readCbor(bytes, key.end, depth + 1);
    value.set(key.value, each.value);
    end = each.end;
  }
  return { value, end };
}

const simple = (kind: number): boolean | null =>
  kind === 22 ? null : kind === 21 || kind === 20 ? kind === 21 : refuse();
