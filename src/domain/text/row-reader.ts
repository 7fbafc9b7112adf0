/** The error that is thrown when a text cannot be read any further. */
export class UnreadableRow extends Error {
  /** The number of the line at which reading stopped. The first line is 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "UnreadableRow";
    this.line = line;
  }
}

export interface TextRow {
  /** The number of the line on which the row begins. The first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the cells cannot be trusted, as a sentence, where a reader goes on behind such a row. */
  readonly fault?: string;
  /** True for the last row of a text that has no line end behind it. */
  readonly isOpen?: boolean;
}

/** Reads rows from a text that comes in parts. Rows without any text are passed over. */
export interface RowReader {
  /** The number of the line that is being read. */
  readonly line: number;
  /** Gives the rows that end in this part. Throws `UnreadableRow`. */
  push(text: string): readonly TextRow[];
  /** Gives the last row when no line end follows it. Throws `UnreadableRow`. */
  end(): readonly TextRow[];
}

/** The most characters of a row. The largest product has some 4,000,000. */
export const maxRowLength = 8_388_608;

/** Reads lines, each of which is a row of one cell. */
export class LineReader implements RowReader {
  #text = "";
  #line = 1;

  get line(): number {
    return this.#line;
  }

  push(text: string): readonly TextRow[] {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    if (this.#text.length > maxRowLength) throw new UnreadableRow(this.#line, tooLong);
    return lines.flatMap((line) => this.#rowOf(line));
  }

  end(): readonly TextRow[] {
    return this.#rowOf(this.#text);
  }

  #rowOf(text: string): readonly TextRow[] {
    const line = this.#line;
    this.#line += 1;
    return text.trim() === "" ? [] : [{ line, cells: [text] }];
  }
}

const tooLong = `the line is longer than ${maxRowLength} characters`;
