import { maxRowLength, type RowReader, type TextRow, UnreadableRow } from "./row-reader.ts";

/** The reader stands before a cell, in it, in its quotes, or behind a quote in them. */
type Place = "start" | "plain" | "quoted" | "behind quote";

/** Reads CSV as RFC 4180 describes it. A row may also end with LF or CR alone. */
export class CsvReader implements RowReader {
  #place: Place = "start";
  #cells: string[] = [];
  #cell = "";
  #line = 1;
  #rowLine = 1;
  #rowLength = 0;
  #last = "";

  get line(): number {
    return this.#line;
  }

  push(text: string): readonly TextRow[] {
    const rows: TextRow[] = [];
    let at = 0;
    while (at < text.length)
      at = this.#place === "quoted" ? this.#readQuoted(text, at) : this.#readPlain(text, at, rows);
    return rows;
  }

  end(): readonly TextRow[] {
    if (this.#place === "quoted") this.#refuse("a quote is opened and never closed");

    const rows: TextRow[] = [];
    if (this.#rowLength > 0) this.#endRow(rows);
    return rows;
  }

  /** Reads to the next quote, and gives the place behind it. */
  #readQuoted(text: string, at: number): number {
    const found = text.indexOf('"', at);
    const end = found < 0 ? text.length : found;
    this.#cell += this.#take(text.slice(at, end));
    if (found < 0) return end;

    this.#take('"');
    this.#place = "behind quote";
    return end + 1;
  }

  /** Reads one sign, or the text before the next one, and gives the place behind it. */
  #readPlain(text: string, at: number, rows: TextRow[]): number {
    const sign = text[at] ?? "";
    switch (sign) {
      case '"':
        this.#readQuote();
        return at + 1;
      case ",":
        this.#take(sign);
        this.#endCell();
        return at + 1;
      case "\r":
      case "\n": {
        const isSecondHalf = sign === "\n" && this.#last === "\r";
        this.#take(sign);
        if (isSecondHalf) this.#rowLength = 0;
        else this.#endRow(rows);
        return at + 1;
      }
      default: {
        if (this.#place === "behind quote") this.#refuse("text stands behind a closed quote");
        const end = nextSign(text, at);
        this.#cell += this.#take(text.slice(at, end));
        this.#place = "plain";
        return end;
      }
    }
  }

  #readQuote(): void {
    if (this.#place === "plain") this.#refuse("a quote stands in a cell that has no quotes");
    // Two quotes inside of quotes are one.
    if (this.#place === "behind quote") this.#cell += '"';
    this.#take('"');
    this.#place = "quoted";
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#place = "start";
  }

  #endRow(rows: TextRow[]): void {
    this.#endCell();
    const isEmpty = this.#cells.length === 1 && this.#cells[0] === "";
    if (!isEmpty) rows.push({ line: this.#rowLine, cells: this.#cells });

    this.#cells = [];
    this.#rowLine = this.#line;
    this.#rowLength = 0;
  }

  /** Counts the lines of text that was read, and refuses a row that is too long. */
  #take(text: string): string {
    const breaks = text.match(/\r\n?|\n/g)?.length ?? 0;
    const isSecondHalf = this.#last === "\r" && text.startsWith("\n");
    this.#line += isSecondHalf ? breaks - 1 : breaks;
    this.#last = text.at(-1) ?? this.#last;

    this.#rowLength += text.length;
    if (this.#rowLength > maxRowLength)
      this.#refuse(`the row is longer than ${maxRowLength} characters: is a quote left open?`);
    return text;
  }

  #refuse(message: string): never {
    throw new UnreadableRow(this.#rowLine, message);
  }
}

const sign = /[",\r\n]/g;

function nextSign(text: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
}
