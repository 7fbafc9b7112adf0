import { relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { checker, exportsOf as namesOf, realOf, root } from "./public-program.ts";
import { subpaths } from "./subpaths.mjs";

// Whoever calls the package must be able to name what it takes and gives: a named type in a
// signature is exported, by the subpath of the signature, by `vitrine` or by one of those in `shared`.

const named = ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class;
const exportsOf = (source: string): readonly ts.Symbol[] => namesOf(source).map(realOf);

/** The named types of this repository that a declaration writes, in signatures and in types. */
function namesIn(symbol: ts.Symbol): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    // What a function does is nobody's business; what it takes and gives is.
    if (ts.isBlock(node) || ts.isPrivateIdentifier(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      const used = checker.getSymbolAtLocation(name);
      if (used) found.push(realOf(used));
    }
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found.filter(isOurs);
}

function isOurs(symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? [];
  const file = declaration && relative(root, declaration.getSourceFile().fileName);
  return (symbol.flags & named) !== 0 && /^(src|adapters)\//.test(file ?? "");
}

/** A type that its own file keeps to itself is a part of the types that name it. */
const isPrivate = (symbol: ts.Symbol): boolean =>
  !symbol.declarations?.some(
    (declaration) =>
      ts.canHaveModifiers(declaration) &&
      ts.getModifiers(declaration)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );

/** The client computes its types from the tables of the contract: it exports the results. */
const isComputedFrom = (source: string, { declarations }: ts.Symbol): boolean =>
  source === "src/client/client.ts" &&
  /\/src\/contract\/|\/client\/types/.test(declarations?.[0]?.getSourceFile().fileName ?? "");

/** Where types are exported that several subpaths name. */
const shared = [
  "src/index.ts",
  "src/public/owner.ts",
  "src/public/gateway.ts",
  "src/public/storage.ts",
  "adapters/http/node.ts",
  "adapters/transport/node.ts",
  "adapters/otel.ts",
  "src/contract/openapi/openapi.ts",
];

function hiddenBehind(source: string): readonly string[] {
  const visible = new Set([source, ...shared].flatMap(exportsOf));
  const seen = new Set<ts.Symbol>();
  const queue = [...exportsOf(source)];
  const hidden = new Map<ts.Symbol, string>();
  for (let symbol = queue.shift(); symbol; symbol = queue.shift()) {
    if (seen.has(symbol)) continue;
    seen.add(symbol);
    for (const used of namesIn(symbol)) {
      if (visible.has(used) || isPrivate(used) || isComputedFrom(source, used)) continue;
      hidden.set(used, `${used.name}, in ${symbol.name}`);
    }
    queue.push(...namesIn(symbol));
  }
  return [...hidden.values()].sort();
}

test("the root exports what a host begins with, at most 45 names", () => {
  expect(namesOf("src/index.ts").length).toBeLessThanOrEqual(45);
});

test.each(subpaths)("every type that $name names is exported", ({ source }) => {
  expect(hiddenBehind(source).join("\n")).toBe("");
});

test.each(subpaths)("hovers name the records of $name: none is an alias of a schema", (path) => {
  // An editor shows an alias of an object as its forty fields, and an interface by its name.
  const aliases = exportsOf(path.source)
    .flatMap((symbol) => symbol.declarations ?? [])
    .filter(ts.isTypeAliasDeclaration)
    .filter(({ type }) => /^z\.(input|output|infer)</.test(type.getText()))
    .filter(({ type }) => isRecord(checker.getTypeFromTypeNode(type)));
  expect(aliases.map(({ name }) => name.text)).toEqual([]);
});

const isRecord = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.Object) !== 0 && type.getProperties().length > 0;

test.each(subpaths)("$name takes undefined for every option that it can do without", (path) => {
  // With `exactOptionalPropertyTypes` a host could not pass on a setting that may be missing.
  const strict = exportsOf(path.source)
    .flatMap((symbol) => symbol.declarations ?? [])
    .filter(isWrittenByHosts)
    .flatMap((declaration) => optionalWithoutUndefined(declaration));
  expect(strict).toEqual([]);
});

/** Options, and what a gateway of the host's own answers. */
const isWrittenByHosts = (declaration: ts.Declaration): boolean =>
  (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) &&
  (/Options$/.test(declaration.name.text) ||
    declaration.getSourceFile().fileName.endsWith("/src/payments/gateway.ts"));

function optionalWithoutUndefined(declaration: ts.Node): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.questionToken && !takesUndefined(node.type))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

const takesUndefined = (type: ts.TypeNode | undefined): boolean =>
  (type && ts.isUnionTypeNode(type) ? type.types : [type]).some(
    (part) =>
      part?.kind === ts.SyntaxKind.UndefinedKeyword || part?.kind === ts.SyntaxKind.UnknownKeyword,
  );
