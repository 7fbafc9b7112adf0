import { fromPixAmount } from "./amounts.ts";

/**
 * Holds the fields of an EMV text by their ids. A field is two digits of id, two of
 * length, then the value.
 */
type Fields = ReadonlyMap<string, string>;

const pixDomain = "br.gov.bcb.pix";
const brazilianReal = "986";

/**
 * Checks a copy-and-paste text, the BR Code: its EMV fields, its checksum, that it
 * is a Pix in BRL, and that it asks for the charge's amount. A buyer's bank would
 * refuse a wrong one, or charge something else.
 */
export function isBrCode(text: unknown, cents: number): text is string {
  if (typeof text !== "string" || text.length > 512) return false;

  const fields = readFields(text);
  if (fields === null || !hasChecksum(text)) return false;

  const amount = fields.get("54");
  return (
    fields.get("00") === "01" &&
    fields.get("53") === brazilianReal &&
    fields.get("58") === "BR" &&
    (amount === undefined || fromPixAmount(amount) === cents) &&
    namesPix(fields)
  );
}

/** Tells whether a code carries a recurrence too: one of the fields 80 to 99 names its address. */
export function namesRecurrence(text: string, location: unknown): boolean {
  return [...(readFields(text) ?? [])].some(([id, value]) => {
    const inner = id >= "80" ? readFields(value) : null;
    return inner?.get("00")?.toLowerCase() === pixDomain && inner.get("25") === location;
  });
}

/** Tells whether one of the fields 26 to 51, which hold accounts, is of Pix. */
function namesPix(fields: Fields): boolean {
  return [...fields].some(([id, value]) => {
    const isAccount = id >= "26" && id <= "51";
    return isAccount && readFields(value)?.get("00")?.toLowerCase() === pixDomain;
  });
}

/**
 * Reads the fields of the text. It gives null when the lengths do not add up. The
 * standard counts characters.
 */
function readFields(text: string): Fields | null {
  const fields = new Map<string, string>();
  const letters = [...text];

  for (let at = 0; at < letters.length; ) {
    const head = letters.slice(at, at + 4).join("");
    if (!/^\d{4}$/.test(head)) return null;

    const end = at + 4 + Number(head.slice(2));
    if (end > letters.length) return null;
    fields.set(head.slice(0, 2), letters.slice(at + 4, end).join(""));
    at = end;
  }
  return fields;
}

/** Checks the last field: it is `6304` and the checksum of all before the checksum itself. */
function hasChecksum(text: string): boolean {
  const [, covered = "", written] = /^(.*6304)([0-9A-Fa-f]{4})$/s.exec(text) ?? [];
  return written !== undefined && crc16(covered) === Number.parseInt(written, 16);
}

/**
 * Computes CRC-16/CCITT-FALSE of the text in UTF-8. Its polynomial is 0x1021, and
 * it begins with 0xffff.
 */
export function crc16(text: string): number {
  let crc = 0xff_ff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x80_00 ? (crc << 1) ^ 0x10_21 : crc << 1) & 0xff_ff;
  }
  return crc;
}
