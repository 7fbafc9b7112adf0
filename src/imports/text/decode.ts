import type { ImportBody } from "../../owner/imports/product-import.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * Tells how the bytes of a file are written. Excel writes UTF-16 as "Unicode text" and
 * Windows-1252 as plain "CSV", and neither says so: what is no UTF-8 is taken for Windows-1252.
 */
export async function encodingOf(body: ImportBody): Promise<Encoding> {
  if (typeof body === "string") return "utf-8";

  const decoder = new TextDecoder("utf-8", { fatal: true });
  let begin: number[] | null = [];
  try {
    for await (const part of body) {
      if (typeof part === "string") continue;
      if (begin) {
        begin.push(...part.subarray(0, 4 - begin.length));
        const wide = wideEncoding(begin);
        if (wide) return wide;
        if (begin.length === 4) begin = null;
      }
      decoder.decode(part, { stream: true });
    }
    decoder.decode();
    return "utf-8";
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "windows-1252";
  }
}

/** Knows UTF-16 by its mark, or by the zeros in the first two letters, which are Latin. */
function wideEncoding([a, b, c, d]: readonly number[]): Encoding | null {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a && b === 0 && c && d === 0) return "utf-16le";
  if (a === 0 && b && c === 0 && d) return "utf-16be";
  return null;
}

/** Gives the text of a file in parts, without a byte order mark. */
export async function* textOf(body: ImportBody, encoding: Encoding): AsyncGenerator<string> {
  if (typeof body === "string") {
    yield body.replace(/^\uFEFF/, "");
    return;
  }

  const decoder = new TextDecoder(encoding);
  let isStart = true;
  for await (const part of body) {
    const text = typeof part === "string" ? part : decoder.decode(part, { stream: true });
    if (text === "") continue;
    yield isStart ? text.replace(/^\uFEFF/, "") : text;
    isStart = false;
  }
  yield decoder.decode();
}
