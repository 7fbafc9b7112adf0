import { maxRowLength, type RowReader, type TextRow, UnreadableRow } from "./row-reader.ts";

/** The reader stands before a cell, in it, in its quotes, or behind a quote in them. */
type Place = "start" | "plain" | "quoted" | "behind quote";

/** How a CSV differs from RFC 4180. */
export interface CsvDialect {
  /** The sign between cells. A comma by default. */
  readonly separator?: string;
  /**
   * Takes a quote in a cell without quotes for text, as spreadsheets do, and goes on behind a row
   * that has text behind a closed quote, which then has a `fault`. By default both end the file.
   */
  readonly looseQuotes?: boolean;
}

/** Reads CSV as RFC 4180 describes it. A row may also end with LF or CR alone. */
export class CsvReader implements RowReader {
  readonly #separator: string;
  readonly #looseQuotes: boolean;
  readonly #sign: RegExp;
  #place: Place = "start";
  #cells: string[] = [];
  #cell = "";
  #fault: string | null = null;
  #line = 1;
  #rowLine = 1;
  #rowLength = 0;
  #last = "";

  constructor({ separator = ",", looseQuotes = false }: CsvDialect = {}) {
    this.#separator = separator;
    this.#looseQuotes = looseQuotes;
    this.#sign = new RegExp(`["${separator}\\r\\n]`, "g");
  }

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
      case this.#separator:
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
        if (this.#place === "behind quote") {
          if (!this.#looseQuotes) this.#refuse("text stands behind a closed quote");
          // To guess where the cell ends could take the rows behind it for its text.
          this.#fault = "Text stands behind a closed quote.";
        }
        const end = this.#nextSign(text, at);
        this.#cell += this.#take(text.slice(at, end));
        this.#place = "plain";
        return end;
      }
    }
  }

  #readQuote(): void {
    if (this.#place === "plain") {
      if (!this.#looseQuotes) this.#refuse("a quote stands in a cell that has no quotes");
      this.#cell += this.#take('"');
      return;
    }
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
    const row = { line: this.#rowLine, cells: this.#cells };
    if (!isEmpty) rows.push(this.#fault === null ? row : { ...row, fault: this.#fault });

    this.#cells = [];
    this.#fault = null;
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

  #nextSign(text: string, from: number): number {
    this.#sign.lastIndex = from;
    return this.#sign.exec(text)?.index ?? text.length;
  }

  #refuse(message: string): never {
    throw new UnreadableRow(this.#rowLine, message);
  }
}
