/** Writes rows of a file as text. */
export interface Writer<Row = object> {
  readonly contentType: string;
  /** The text before the first row. */
  readonly start: string;
  row(row: Row): string;
}

export const csvType = "text/csv; charset=utf-8; header=present";

const utf8 = new TextEncoder();
/** A part is this long, which is about as much as a socket takes at once. */
const partLength = 65_536;

/** Gives the bytes of a file, whose pages are read as fast as the bytes are taken. */
export async function* writeRows<Row>(
  pages: AsyncIterable<readonly Row[]>,
  { start, row }: Pick<Writer<Row>, "start" | "row">,
): AsyncGenerator<Uint8Array> {
  let text = start;
  for await (const rows of pages)
    for (const each of rows) {
      text += row(each);
      if (text.length < partLength) continue;

      yield utf8.encode(text);
      text = "";
    }
  if (text !== "") yield utf8.encode(text);
}
