import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { checker, exportsOf, realOf, root } from "./public-program.ts";
import { subpaths } from "./subpaths.mjs";

// The listings in test/repository/exports say what each subpath exports, as the compiler types it, so that a
// review sees every change of the public API. This writes them:
//   npm run docs

const flags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.WriteArrayAsGenericType;

function reportOf(file: string): string {
  const lines = exportsOf(file).map((symbol) => describe(symbol));
  return `${lines.sort().join("\n")}\n`;
}

function describe(symbol: ts.Symbol): string {
  const real = realOf(symbol);
  const exported = symbol.declarations?.[0];
  const typeOnly = exported !== undefined && ts.isTypeOnlyImportOrExportDeclaration(exported);
  const isValue =
    !typeOnly &&
    (real.flags & ts.SymbolFlags.Value) !== 0 &&
    (real.flags & ts.SymbolFlags.Class) === 0;
  const declaration = real.declarations?.[0];
  if (!declaration) return symbol.name;
  if (isValue)
    return `${symbol.name}: ${text(checker.getTypeOfSymbolAtLocation(real, declaration))}`;
  const type = checker.getDeclaredTypeOfSymbol(real);
  const kind =
    real.flags & ts.SymbolFlags.Class
      ? "class"
      : real.flags & ts.SymbolFlags.Interface
        ? "interface"
        : "type";
  if (kind === "type") {
    const written = text(type, ts.TypeFormatFlags.InTypeAlias);
    return written.length > longest
      ? declaration.getText().replace(/\s+/g, " ")
      : `type ${symbol.name} = ${written}`;
  }
  const members = type.getProperties().map((member) => {
    const optional = member.flags & ts.SymbolFlags.Optional ? "?" : "";
    const type = checker.getTypeOfSymbolAtLocation(member, declaration);
    return `  ${member.name}${optional}: ${text(type)}`;
  });
  return `${kind} ${symbol.name}\n${members.join("\n")}`;
}

/** A longer type is reported as its source text, which tells a reader more than its expansion. */
const longest = 2_500;

const text = (type: ts.Type, more = ts.TypeFormatFlags.None): string =>
  // The compiler lists the members of a union in the order in which it met them. They are sorted,
  // so that a change elsewhere does not change this report.
  checker
    .typeToString(type, undefined, flags | more)
    .replace(/'[^']*'(?: \| '[^']*')+/g, (union) => union.split(" | ").sort().join(" | "));

test.each(subpaths)("the exports of $name are those of its report", async ({ source, entry }) => {
  // The compiler numbers well-known symbols as it meets them, and the type of its own iterators
  // contains an `any`.
  const report = reportOf(source)
    // A trailing comma in a pattern tells how the source is formatted, not what it exports.
    .replace(/, \}/g, " }")
    .replace(/__@(\w+)@\d+/g, "[Symbol.$1]")
    .replace(/(AsyncIterator|AsyncIterable)<(.*?), any, any>/g, "$1<$2>");
  expect(
    report.split("\n").filter((line) => /: any\b/.test(line) && !line.includes("onrejected")),
  ).toEqual([]);
  await expect(report).toMatchFileSnapshot(join(root, `test/repository/exports/${entry}.txt`));
});
