import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRow, guardCell, jsonCell, unguardCell } from "../../src/domain/text/csv.ts";
import { CsvReader } from "../../src/domain/text/csv-reader.ts";
import { LineReader, maxRowLength } from "../../src/domain/text/row-reader.ts";

/** Text of the characters that mean something to CSV or to a spreadsheet. */
const tricky = fc.string({
  unit: fc.constantFrom(..."\"',;=+-@\t\r\n \u0000\u200B\u00A0\uFF1D\uFF0B\uFF0D\uFF20aé😀"),
  maxLength: 12,
});

describe("text that a spreadsheet would run", () => {
  const signs = ["=", "+", "-", "@", "\t", "\r", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"];

  test.each(signs)(
    "a cell that begins with %j gets a quote in front, also after blanks",
    (sign) => {
      for (const blanks of ["", " ", "  \u00A0", "\u0000", "\u200B\u202E"])
        expect(guardCell(`${blanks}${sign}1`)).toBe(`'${blanks}${sign}1`);
      expect(guardCell(`a${sign}1`)).toBe(`a${sign}1`);
    },
  );

  test.each([";", "\t", "\n", "\r"])(
    "a part that begins with a sign behind %j gets a quote in front, also after quotes",
    (separator) => {
      for (const part of ["=1", " =1", '"=1"', "'=1", "\uFF1D1"])
        expect(guardCell(`a${separator}${part}`)).toBe(`a${separator}'${part}`);
      expect(guardCell(`a${separator}b=1`)).toBe(`a${separator}b=1`);
    },
  );

  test("a file of semicolons guards what stands behind a comma too, and one of commas does not", () => {
    for (const part of ["=1", " =1", '"=1"', "'=1", "\uFF1D1"])
      expect(guardCell(`a,${part}`, ";")).toBe(`a,'${part}`);
    expect(guardCell("a,=1;=1", ";")).toBe("a,'=1;'=1");
    expect(guardCell("a,b=1", ";")).toBe("a,b=1");
    expect(guardCell("a,=1")).toBe("a,=1");
  });

  test("a text of many lines is guarded in little time", () => {
    const text = "\n".repeat(200_000);
    expect(unguardCell(guardCell(`${text}=1`))).toBe(`${text}=1`);
  });

  test("JSON in a cell has no semicolon, and reads as before", () => {
    const value = { a: "x;=1", "b;": ["&amp;", 1] };
    expect(jsonCell(value)).not.toContain(";");
    expect(JSON.parse(jsonCell(value))).toEqual(value);
  });

  test("no other text gets one", () => {
    for (const text of ["", "João", "1-2", "'quoted'", "(=1)", "\u2212", "a\tb", "#1"])
      expect(guardCell(text)).toBe(text);
  });

  test("the quote is taken away again, and no other", () => {
    for (const [cell, text] of [
      ["'=1", "=1"],
      ["''=1", "'=1"],
      ["'a", "'a"],
      ["'=1;'=2", "=1;=2"],
      ["a;'b", "a;'b"],
      ["'", "'"],
      ["=1", "=1"],
    ] as const)
      expect(unguardCell(cell)).toBe(text);

    fc.assert(fc.property(tricky, (text) => unguardCell(guardCell(text)) === text));
    fc.assert(
      fc.property(tricky, (text) => !/(^|[;\t\r\n])\s*[=+\-@\uFF1D]/.test(guardCell(text))),
    );
  });
});

describe("CSV", () => {
  const rowsOf = (text: string, cut = text.length) => {
    const reader = new CsvReader();
    const parts = [text.slice(0, cut), text.slice(cut)];
    return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
  };
  const table = fc.array(fc.array(tricky, { minLength: 2, maxLength: 4 }), { minLength: 1 });

  test("every text comes back, for this reader in any two parts and for another reader", () => {
    fc.assert(
      fc.property(table, fc.nat(), (rows, place) => {
        const text = rows.map(csvRow).join("");
        expect(rowsOf(text, place % (text.length + 1)).map(({ cells }) => cells)).toEqual(rows);
        expect(parse(text, { relax_column_count: true, record_delimiter: "\r\n" })).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  test.each(["\r\n", "\n", "\r"])("rows may end with %j, and the last one with nothing", (end) => {
    const text = ["a,b", '"1', '2",x', "", "y,z"].join(end);
    expect(rowsOf(text)).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: [`1${end}2`, "x"] },
      { line: 5, cells: ["y", "z"] },
    ]);
  });

  test.each([
    ['a\n"b', 2, "a quote is opened and never closed"],
    ['a\n\n"b" c', 3, "text stands behind a closed quote"],
    ['a,b"c"', 1, "a quote stands in a cell that has no quotes"],
  ])("%j is refused by its line", (text, line, message) => {
    expect(() => rowsOf(text)).toThrow(expect.objectContaining({ line, message }));
  });

  test("a quote that is left open does not take the rest of the file into memory", () => {
    const reader = new CsvReader();
    const part = "x".repeat(maxRowLength / 4);
    reader.push('a\n"');
    const push = () => {
      for (let count = 0; count < 5; count += 1) reader.push(part);
    };
    expect(push).toThrow(/line|row is longer than 8388608 characters: is a quote left open/);
  });
});

test("lines are counted, and empty ones passed over", () => {
  const reader = new LineReader();
  const rows = [...reader.push('{}\r\n\n{"a"'), ...reader.push(":1}\n[]"), ...reader.end()];
  expect(rows).toEqual([
    { line: 1, cells: ["{}\r"] },
    { line: 3, cells: ['{"a":1}'] },
    { line: 4, cells: ["[]"] },
  ]);
});
