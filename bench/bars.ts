import { bestFirst, number, type Row, ratio } from "./row.ts";

const width = 40;

/** Draws a work as bars, one for each side, the best first, for a terminal of 80 columns. */
export function bars(row: Row): string {
  const sides = bestFirst(row);
  const most = Math.max(...sides.map(([, value]) => value));
  const longest = Math.max(...sides.map(([name]) => name.length));
  const drawn = sides.map(([name, value]) => {
    const bar = "█".repeat(Math.max(1, Math.round((value / most) * width)));
    const times = name === row.base ? "" : `  ${number(ratio(row, name))} ×`;
    return `  ${name.padEnd(longest)} ${bar} ${number(value)}${times}`;
  });
  return `${row.work}, ${row.unit}, × = ÷ ${row.base}\n${drawn.join("\n")}\n`;
}
