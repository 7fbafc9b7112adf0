import { nodeModule } from "./node-module.ts";

// Node has it from 20.15 on.
const node = nodeModule<{ crc32?(text: string): number }>("zlib");
const utf8 = new TextEncoder();

/**
 * Computes the CRC-32 (ISO-HDLC) of the UTF-8 bytes of a text. It finds typing
 * mistakes; it is no signature.
 */
export function crc32(text: string): number {
  if (node?.crc32) return node.crc32(text);

  let crc = -1;
  for (const byte of utf8.encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
