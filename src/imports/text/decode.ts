import type { ImportBody } from "../../owner/imports/product-import.ts";

type Encoding = "utf-8" | "broken utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * Tells how the bytes of a file are written. Excel writes UTF-16 as "Unicode text" and
 * Windows-1252 as plain "CSV", and neither says so. What is no UTF-8 is taken for Windows-1252,
 * unless most of its letters beyond ASCII are UTF-8: a program that cuts a cell may cut a letter.
 */
export async function encodingOf(body: ImportBody): Promise<Encoding> {
  if (typeof body === "string") return "utf-8";

  const letters = countLetters();
  let begin: number[] | null = [];
  for await (const part of body) {
    if (typeof part === "string") continue;
    if (begin) {
      begin.push(...part.subarray(0, 4 - begin.length));
      const wide = wideEncoding(begin);
      if (wide) return wide;
      if (begin.length === 4) begin = null;
    }
    letters.add(part);
  }
  const { whole, broken } = letters.end();
  if (broken === 0) return "utf-8";
  return whole > broken ? "broken utf-8" : "windows-1252";
}

/** Counts the letters beyond ASCII that are UTF-8, and those that are not. */
function countLetters() {
  const decoder = new TextDecoder("utf-8");
  const strict = new TextDecoder("utf-8", { fatal: true });
  let isWhole = true;
  let whole = 0;
  let broken = 0;
  const count = (text: string): void => {
    for (const [letter] of text.matchAll(/[\u0080-\uffff]/g))
      if (letter === "\ufffd") broken += 1;
      else whole += 1;
  };
  const check = (bytes?: Uint8Array): void => {
    if (!isWhole) return;
    try {
      strict.decode(bytes, { stream: bytes !== undefined });
    } catch {
      isWhole = false;
    }
  };
  return {
    add(bytes: Uint8Array): void {
      check(bytes);
      count(decoder.decode(bytes, { stream: true }));
    },
    end() {
      check();
      count(decoder.decode());
      // U+FFFD may also be a letter of the file itself.
      return { whole, broken: isWhole ? 0 : broken };
    },
  };
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

  const isBroken = encoding === "broken utf-8";
  const decoder = new TextDecoder(isBroken ? "utf-8" : encoding);
  // No store takes half of a surrogate pair, so that a row with a broken letter is refused.
  const marked = (text: string) => (isBroken ? text.replaceAll("\ufffd", "\udfff") : text);
  let isStart = true;
  for await (const part of body) {
    const text = typeof part === "string" ? part : decoder.decode(part, { stream: true });
    if (text === "") continue;
    yield marked(isStart ? text.replace(/^\uFEFF/, "") : text);
    isStart = false;
  }
  yield marked(decoder.decode());
}
