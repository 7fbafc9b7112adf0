/** The types of pictures that are taken. SVG is none of them, because it can hold scripts. */
export const pictureTypes = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
] as const;
/** A picture is taken when it has one of these media types. */
export type PictureType = (typeof pictureTypes)[number];

/** Reads the kind of a picture from its first bytes. Gives null for any other file. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  const letters = (from: number, to: number): string =>
    String.fromCharCode(...bytes.subarray(from, to));

  if (letters(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (letters(0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (/^GIF8[79]a$/.test(letters(0, 6))) return "image/gif";
  if (letters(0, 4) === "RIFF" && letters(8, 12) === "WEBP") return "image/webp";
  if (letters(4, 8) === "ftyp" && brandsOf(bytes, letters).includes("avif")) return "image/avif";
  return null;
}

/** Reads the brands of a file of ISO/IEC 14496-12: the main one and the compatible ones. */
function brandsOf(
  bytes: Uint8Array,
  letters: (from: number, to: number) => string,
): readonly string[] {
  const most = 256;
  const size = bytes.length < 16 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const end = Math.min(size, bytes.length, most);
  const brands = [letters(8, 12)];
  // Four bytes of a version stand between the main brand and the others.
  for (let at = 16; at + 4 <= end; at += 4) brands.push(letters(at, at + 4));
  return brands;
}
