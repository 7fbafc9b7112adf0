/** The addresses of IPv4 that begin with the same `bits` as `base`. */
type Range4 = readonly [base: number, bits: number];

/**
 * The addresses of IPv6 that begin with the same `bits` as `base`, in groups of 16
 * bits.
 */
type Range6 = readonly [base: readonly number[], bits: number];

/** Reads a list of ranges such as `10.0.0.0/8 168.63.129.16`. */
export const rangesV4 = (list: string): readonly Range4[] =>
  list.split(" ").map((text) => {
    const [address = "", bits = "32"] = text.split("/");
    return [parseV4(address) ?? 0, Number(bits)];
  });

/** Reads a list of ranges such as `2002::/16 fe80::a9fe:a9fe`. */
export const rangesV6 = (list: string): readonly Range6[] =>
  list.split(" ").map((text) => {
    const [address = "", bits = "128"] = text.split("/");
    return [parseV6(address) ?? [], Number(bits)];
  });

export const isInV4 = (ranges: readonly Range4[], address: number): boolean =>
  ranges.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(base / size);
  });

export const isInV6 = (ranges: readonly Range6[], groups: readonly number[]): boolean =>
  ranges.some((range) => isInRange(groups, range));

function isInRange(groups: readonly number[], [base, bits]: Range6): boolean {
  for (let index = 0, left = bits; left > 0; index += 1, left -= 16) {
    const shift = Math.max(0, 16 - left);
    if ((groups[index] ?? 0) >> shift !== (base[index] ?? 0) >> shift) return false;
  }
  return true;
}

/** Gives the IPv4 address that two groups of an IPv6 address hold. */
export const v4In = (groups: readonly number[], at: number): number =>
  (groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0);

/**
 * Gives the number of an IPv4 address. Gives null unless the text is one in its
 * canonical form.
 */
export function parseV4(text: string): number | null {
  const parts = text.split(".");
  const isCanonical = (part: string): boolean =>
    /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255;
  if (parts.length !== 4 || !parts.every(isCanonical)) return null;

  return parts.reduce((value, part) => value * 256 + Number(part), 0);
}

/**
 * Gives the eight groups of an IPv6 address. Gives null for any other text, even
 * for one with a zone id.
 */
export function parseV6(text: string): readonly number[] | null {
  const plain = withoutDots(text);
  if (plain === null) return null;

  const halves = plain.split("::");
  if (halves.length > 2) return null;

  const head = readGroups(halves[0]);
  const tail = readGroups(halves[1]);
  const missing = 8 - head.length - tail.length;
  const isShortened = halves.length === 2;
  if (isShortened ? missing < 1 : missing !== 0) return null;

  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  return groups.some(Number.isNaN) ? null : groups;
}

/**
 * Writes an IPv4 address at the end as two groups. Gives null when the text is no
 * IPv6 address.
 */
function withoutDots(text: string): string | null {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return null;
  if (!text.includes(".")) return text;

  const [, start = "", dotted = ""] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const value = parseV4(dotted);
  if (value === null) return null;

  const [high, low] = [Math.floor(value / 65_536), value % 65_536];
  return `${start}${high.toString(16)}:${low.toString(16)}`;
}

const readGroups = (half: string | undefined): number[] =>
  half ? half.split(":").map(readGroup) : [];

const readGroup = (group: string): number =>
  /^[0-9a-fA-F]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN;
