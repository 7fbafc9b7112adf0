import { join, resolve } from "node:path";
import ts from "typescript";
import tsconfig from "../../tsconfig.json" with { type: "json" };
import { subpaths } from "./subpaths.mjs";

// One compilation of everything that package.json exports, for the tests that read its types.

export const root = resolve(import.meta.dirname, "../..");
const { options } = ts.convertCompilerOptionsFromJson(tsconfig.compilerOptions, root);
const program = ts.createProgram(
  subpaths.map(({ source }) => join(root, source)),
  {
    ...options,
    paths: Object.fromEntries(Object.entries(tsconfig.compilerOptions.paths)),
    baseUrl: root,
  },
);
export const checker = program.getTypeChecker();

/** What a source file exports, as it is named there; `realOf` gives what an alias stands for. */
export function exportsOf(source: string): readonly ts.Symbol[] {
  const file = program.getSourceFile(join(root, source));
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${source} exports nothing.`);
  return checker.getExportsOfModule(module);
}

export const realOf = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
