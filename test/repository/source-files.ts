import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");

export interface SourceFile {
  /** The path from the repository's root. */
  readonly path: string;
  readonly text: string;
  /** The specifiers of all imports, types included. */
  readonly imports: readonly string[];
  /** The imported files of the repository, as paths from its root. */
  readonly importedFiles: readonly string[];
  readonly functions: readonly FunctionShape[];
}

interface FunctionShape {
  /** `src/a.ts:12 name`. */
  readonly place: string;
  readonly lines: number;
  readonly parameters: number;
}

/** Reads every TypeScript file of a folder. */
export function sourceFilesIn(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => read(relative(root, join(entry.parentPath, entry.name))));
}

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: string[] = [];
  const functions: FunctionShape[] = [];

  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== null) imports.push(specifier);
    if (ts.isFunctionLike(node) && "body" in node && node.body) functions.push(shapeOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);

  const importedFiles = imports
    .map((name) => name.replace(/^#core\//, () => `${relative(dirname(path), "src") || "."}/`))
    .filter((name) => name.startsWith("."))
    .map((name) => relative(root, resolve(root, dirname(path), name)));
  return { path, text, imports, importedFiles, functions };
}

/** Gives what a node imports, by a declaration, by `import()` or by a type `import("x").Y`. */
function specifierOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return textOf(node.argument.literal);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textOf(node.arguments[0]);
  return null;
}

const textOf = (node: ts.Node | undefined): string | null =>
  node && ts.isStringLiteral(node) ? node.text : null;

function shapeOf(node: ts.SignatureDeclaration): FunctionShape {
  const source = node.getSourceFile();
  const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
  const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;

  const named = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
  const name = named?.getText() ?? "(no name)";
  return {
    place: `${source.fileName}:${first + 1} ${name}`,
    lines: last - first + 1,
    parameters: node.parameters.length,
  };
}
