import { join, resolve } from "node:path";
import ts from "typescript";
import tsconfig from "../../tsconfig.json" with { type: "json" };
import { blocks } from "./doc-blocks.ts";
import { subpaths } from "./subpaths.mjs";

export const root = resolve(import.meta.dirname, "../..");

/** One compilation of all that package.json exports, and of the blocks of README and docs. */
export const program = compile();
export const checker = program.getTypeChecker();

function compile(): ts.Program {
  const { options } = ts.convertCompilerOptionsFromJson(tsconfig.compilerOptions, root);
  // A reader's own settings may be stricter than the repository's.
  const strict = { ...options, exactOptionalPropertyTypes: true };
  const all = { ...strict, noEmit: true, baseUrl: root, jsx: ts.JsxEmit.ReactJSX };
  const sources = subpaths.map(({ source }) => join(root, source));
  const prelude = join(root, "test/repository/docs-prelude.d.ts");

  const texts = new Map(blocks.map(({ path, text }) => [path, text]));
  // The README's route file of Next.js imports the reader's own shop.ts, three folders up.
  texts.set(
    resolve(root, "test/repository/../../../shop.ts"),
    'export declare const openShop: () => Promise<import("vitrine").Storefront>;',
  );

  const names = [...sources, prelude, ...texts.keys()];
  return ts.createProgram(names, all, hostWith(texts, all));
}

/** Reads these texts as if they were files, and all others from the disk. */
function hostWith(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;

  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, ...rest)
      : ts.createSourceFile(name, text, rest[0]);
  };
  host.fileExists = (name) => texts.has(name) || fileExists.call(host, name);
  host.readFile = (name) => texts.get(name) ?? readFile.call(host, name);
  return host;
}

/** What a source file exports, as it is named there; `realOf` gives what an alias stands for. */
export function exportsOf(source: string): readonly ts.Symbol[] {
  const file = program.getSourceFile(join(root, source));
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${source} exports nothing.`);
  return checker.getExportsOfModule(module);
}

export const realOf = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
