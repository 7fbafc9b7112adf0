import { lengthOf } from "#core/domain/text/plain.ts";
import type { Screen } from "./screen.ts";

/** One column of a list on the screen. */
export interface Column<Row> {
  readonly title: string;
  /** True for what is copied from the screen, such as an id: it is never cut off. */
  readonly whole?: boolean;
  value(row: Row): string;
}

const gap = 2;
const least = 4;

/**
 * Lays rows out in columns. Where a line does not fit into the width, the widest columns
 * become narrower, and an ellipsis ends what is cut off.
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: Pick<Screen, "width" | "paint">,
): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => oneLine(value(row)))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at] ?? ""))));
  const total = (): number => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1));
  while (total() > width) {
    const spare = widths.map((each, at) => (columns[at]?.whole ? 0 : each));
    const widest = spare.indexOf(Math.max(...spare));
    if ((spare[widest] ?? 0) <= least) break;
    // One letter after the other, so that two wide columns give way alike.
    widths[widest] = (widths[widest] ?? 0) - 1;
  }

  const lines = cells.map((line) =>
    line
      .map((cell, at) => fit(cell, widths[at] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
  return lines.map((line, at) => (at === 0 ? paint.strong(line) : line));
}

/** Puts a text on one line: what owners and buyers have written must begin no line of its own. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ");

function fit(text: string, width: number): string {
  const letters = [...text];
  if (letters.length <= width) return text + " ".repeat(width - letters.length);
  return `${letters.slice(0, Math.max(width - 1, 0)).join("")}…`;
}

/**
 * Lays out the fields of one record. A field within a field has both names. Further lines of a text
 * stand below its first one, so that none looks like a field.
 */
export function recordLines(record: object): readonly string[] {
  const shown = fieldsOf(record, "");
  const width = Math.max(...shown.map(([name]) => name.length));
  const below = `\n${" ".repeat(width + gap)}`;
  return shown.map(
    ([name, text]) => `${name.padEnd(width + gap)}${text.replace(/\r\n?|\n/g, below)}`,
  );
}

const fieldsOf = (record: object, before: string): readonly (readonly [string, string])[] =>
  Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    if (isPlain(value) && Object.keys(value).length > 0)
      return fieldsOf(value, `${before}${name}.`);
    return [[`${before}${name}`, plainText(value)] as const];
  });

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function plainText(value: unknown): string {
  if (value === null) return "-";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return value.length === 0 ? "-" : value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
