import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import tsconfig from "../../tsconfig.json" with { type: "json" };

// What each subpath exports, as a reader of its types sees it. A change of the public surface shows in review: `vitest -u` writes it.

const root = resolve(import.meta.dirname, "../..");
const subpaths = Object.entries(tsconfig.compilerOptions.paths).map(([name, [file]]) => ({
  name,
  file: join(root, file as string),
}));
const { options } = ts.convertCompilerOptionsFromJson(tsconfig.compilerOptions, root);
const program = ts.createProgram(
  subpaths.map(({ file }) => file),
  {
    ...options,
    paths: Object.fromEntries(Object.entries(tsconfig.compilerOptions.paths)),
    baseUrl: root,
  },
);
const checker = program.getTypeChecker();
const flags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.WriteArrayAsGenericType;

function reportOf(file: string): string {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing.`);
  const lines = checker.getExportsOfModule(module).map((symbol) => describe(symbol));
  return `${lines.sort().join("\n")}\n`;
}

function describe(symbol: ts.Symbol): string {
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
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
    return `  ${member.name}${optional}: ${text(checker.getTypeOfSymbolAtLocation(member, declaration))}`;
  });
  return `${kind} ${symbol.name}\n${members.join("\n")}`;
}

/** What is longer says more as it was written. */
const longest = 2_500;

const text = (type: ts.Type, more = ts.TypeFormatFlags.None): string =>
  // The compiler gives the members of a union in the order it met them: sorted, so that a change elsewhere is none here.
  checker
    .typeToString(type, undefined, flags | more)
    .replace(/'[^']*'(?: \| '[^']*')+/g, (union) => union.split(" | ").sort().join(" | "));

test.each(subpaths)("the exports of $name are those of its report", async ({ name, file }) => {
  // The compiler numbers well-known symbols as it meets them, and its own iterators hold an `any`.
  const report = reportOf(file)
    .replace(/__@(\w+)@\d+/g, "[Symbol.$1]")
    .replace(/(AsyncIterator|AsyncIterable)<(.*?), any, any>/g, "$1<$2>");
  expect(
    report.split("\n").filter((line) => /: any\b/.test(line) && !line.includes("onrejected")),
  ).toEqual([]);
  await expect(report).toMatchFileSnapshot(
    join(
      root,
      "docs/api",
      `${name.replace(/^vitrine\/?/, "").replaceAll("/", "-") || "index"}.txt`,
    ),
  );
});
