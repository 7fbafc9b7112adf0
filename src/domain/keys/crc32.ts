/** Holds the remainder of each possible byte. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const utf8 = new TextEncoder();

/**
 * Computes the CRC-32 (ISO-HDLC) of the UTF-8 bytes of a text. It finds typing
 * mistakes; it is no signature.
 */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of utf8.encode(text)) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
