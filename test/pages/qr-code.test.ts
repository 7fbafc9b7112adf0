import { generate } from "lean-qr";
import { expect, test } from "vitest";
import { qrCode } from "../../src/pages/parts/qr-code.ts";

const pixText =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR" +
  "5913Fulano de Tal6008BRASILIA62070503***63041D3D";

test.each(["1", pixText, "ção 日本 ".repeat(40)])(
  "every dark module of a QR code is drawn, and no other: %#",
  (text) => {
    const code = generate(text);
    const expected: string[] = [];
    for (let y = 0; y < code.size; y += 1)
      for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) expected.push(`${x + 4},${y + 4}`);

    const svg = qrCode(text, "Code")?.html ?? "";
    expect(svg).toContain(`viewBox="0 0 ${code.size + 8} ${code.size + 8}"`);
    expect(drawn(/ d="([^"]+)"/.exec(svg)?.[1] ?? "")).toEqual(expected);
  },
);

test("a text that no code holds has no drawing", () => {
  expect(qrCode("x".repeat(4_000), "Code")).toBeNull();
});

/** The modules that the strokes of a path cover, row by row. */
function drawn(path: string): readonly string[] {
  const cells: string[] = [];
  let x = 0;
  let y = 0;
  for (const [, command, first, second] of path.matchAll(/([Mmh])([\d.-]+)(?: ([\d.-]+))?/g)) {
    if (command === "M") [x, y] = [Number(first), Number(second) - 0.5];
    if (command === "m") x += Number(first);
    if (command !== "h") continue;
    for (const end = x + Number(first); x < end; x += 1) cells.push(`${x},${y}`);
  }
  return cells;
}
