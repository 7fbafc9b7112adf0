/** One column of a list on the screen. */
export interface Column<Row> {
  readonly title: string;
  value(row: Row): string;
}

const gap = 2;

/**
 * Lays rows out in columns. What does not fit into the width is cut off at the widest
 * column, with an ellipsis.
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => value(row).replace(/\s+/g, " "))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at] ?? ""))));
  const total = (): number => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1));
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 4) break;
    widths[widest] = Math.max(4, (widths[widest] ?? 0) - (total() - width));
  }

  return cells.map((line) =>
    line
      .map((cell, at) => fit(cell, widths[at] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

const lengthOf = (text: string): number => [...text].length;

export function fit(text: string, width: number): string {
  const letters = [...text];
  if (letters.length <= width) return text + " ".repeat(width - letters.length);
  return `${letters.slice(0, Math.max(width - 1, 0)).join("")}…`;
}

/** Lays out the fields of one record, a line each. */
export function recordLines(record: object): readonly string[] {
  const shown = Object.entries(record).filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${plainText(value)}`);
}

function plainText(value: unknown): string {
  if (value === null) return "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
