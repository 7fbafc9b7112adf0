/** Counts the columns of a text, without the codes that colour it. */
export const widthOf = (text: string): number => [...text.replace(/\x1b\[[\d;]*m/g, "")].length;

/** The words of a field and the gap behind it, or what a line begins with. */
const hangs = /^(?:[\w.]+ {2,}| *)/;

/**
 * Breaks a line at its spaces where it is wider than the terminal. What follows stands under the
 * value of a field, or under the beginning of a sentence. A word of its own is never broken, and
 * a text of several lines is left as it is.
 */
export function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width || line.includes("\n")) return line;

  const head = hangs.exec(line)?.[0] ?? "";
  const indent = " ".repeat(head.length < width / 2 ? head.length : 0);
  let text = "";
  let last = head;
  for (const word of line.slice(head.length).split(" ")) {
    const isFirst = last === head || last === indent;
    const longer = isFirst ? `${last}${word}` : `${last} ${word}`;
    if (isFirst || widthOf(longer) <= width) last = longer;
    else {
      text += `${last}\n`;
      last = `${indent}${word}`;
    }
  }
  return text + last;
}
