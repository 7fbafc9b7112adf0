import type { Edit } from "../edit.ts";

const streams = ["adapters/stream-bodies.test.ts"];
const imports = ["owner/imports.test.ts"];

/** Bodies that are streams, exports and imports. */
export const exportEdits: readonly Edit[] = [
  {
    name: "a slow reader does not hold the stream back",
    file: "adapters/http/stream-body.ts",
    from: "if (!res.write(part)) await drainOrClose(res);",
    to: "res.write(part);",
    tests: streams,
    cases: "waits for a slow reader",
  },
  {
    name: "a stream that fails ends its answer like a whole one",
    file: "adapters/http/stream-body.ts",
    from: "breakOff(res, asError(error));",
    to: "res.end();",
    tests: streams,
    cases: "fails in the middle",
  },
  {
    name: "an answer to HTTP/1.0 that fails looks whole",
    file: "adapters/http/stream-body.ts",
    from: '  if (httpVersion === "1.0") reset(socket);\n',
    to: "",
    tests: streams,
    cases: "fails in the middle",
  },
  {
    name: "a Response is filled before its host reads it",
    file: "src/http/wire.ts",
    from: "{ highWaterMark: 0 },",
    to: "{ highWaterMark: 1_000 },",
    tests: streams,
    cases: "waits for a slow reader",
  },
  {
    name: "a formula that begins after blanks is not guarded",
    file: "src/domain/text/csv.ts",
    from: "const formula = /^'*[\\s\\p{Cc}\\p{Cf}]*",
    to: "const formula = /^'*",
    tests: ["domain/csv.test.ts"],
  },
  {
    name: "text that begins with a quote and a formula loses its quote",
    file: "src/domain/text/csv.ts",
    from: "const formula = /^'*",
    to: "const formula = /^",
    tests: ["domain/csv.test.ts"],
  },
  {
    name: "a formula behind a semicolon is not guarded",
    file: "src/domain/text/csv.ts",
    from: 'text.replace(separator === "," ? innerFormula : innerOrComma, "\'")',
    to: "text",
    tests: ["domain/csv.test.ts"],
  },
  {
    name: "books of semicolons have a formula behind a comma",
    file: "src/owner/exports/books/lines.ts",
    from: "guardCell(cells[name], separator)",
    to: "guardCell(cells[name])",
    tests: ["owner/books.test.ts"],
    cases: "the other sign",
  },
  {
    name: "an import gives back the stock that was sold",
    file: "src/owner/imports/store-rows.ts",
    from: "input.stock === stored.stock ? undefined : input.stock",
    to: "input.stock",
    tests: imports,
    cases: "no stock that was sold",
  },
  {
    name: "an import writes over what another call has changed meanwhile",
    file: "src/owner/imports/store-rows.ts",
    from: ", before: stored };",
    to: " };",
    tests: imports,
    cases: "changed meanwhile",
  },
  {
    name: "the earlier of two rows of one product decides",
    file: "src/owner/imports/import-products.ts",
    from: "if (rows.has(name)) yield taken(false);",
    to: "if (rows.has(name)) continue;",
    tests: imports,
    cases: "wrong rows by line",
  },
  {
    name: "an export begins before its input is judged",
    file: "src/owner/exports/open-export.ts",
    from: "  const first = await read(null);",
    to: "  const first: Page<object> = { data: [], has_more: true, next_cursor: null };",
    tests: ["owner/exports.test.ts"],
    cases: "on memory",
  },
];
