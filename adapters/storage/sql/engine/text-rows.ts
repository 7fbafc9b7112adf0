import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";

// A row is read as one text: its fields with a line feed between them. On both
// drivers, one text column is read faster than many columns. Only the last field
// may itself hold a line feed. JSON that `JSON.stringify` wrote holds none.

/** Selects the fields as one text column. A nullable field must be wrapped in `orEmpty`. */
export const textRow = (
  ...fields: readonly RawBuilder<unknown>[]
): AliasedRawBuilder<string, "text_row"> =>
  sql<string>`${sql.join(fields, sql` || ${sql.lit("\n")} || `)}`.as("text_row");

/** Gives a nullable field as text: null becomes the empty text. */
export const orEmpty = (field: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(cast(${field} as text), '')`;

/** Reads the fields of a text row from left to right; `rest` reads the last one. */
export class TextRowReader {
  readonly #row: string;
  #start = 0;

  constructor(row: string) {
    this.#row = row;
  }

  text(): string {
    const end = this.#row.indexOf("\n", this.#start);
    const text = this.#row.slice(this.#start, end);
    this.#start = end + 1;
    return text;
  }

  textOrNull(): string | null {
    return this.text() || null;
  }

  /** Reads digit by digit, so that no string is made for each number of each row. */
  integer(): number {
    const row = this.#row;
    let index = this.#start;
    const negative = row.charCodeAt(index) === minusSign;
    if (negative) index += 1;

    let value = 0;
    for (; index < row.length; index += 1) {
      const code = row.charCodeAt(index);
      if (code === lineFeed) break;
      value = value * 10 + (code - digitZero);
    }
    this.#start = index + 1;
    return negative ? -value : value;
  }

  integerOrNull(): number | null {
    if (this.#row.charCodeAt(this.#start) !== lineFeed) return this.integer();
    this.#start += 1;
    return null;
  }

  /** Reads the last field, with the line feeds that it may hold. */
  rest(): string {
    return this.#row.slice(this.#start);
  }
}

const lineFeed = "\n".charCodeAt(0);
const minusSign = "-".charCodeAt(0);
const digitZero = "0".charCodeAt(0);
