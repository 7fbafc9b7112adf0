import { basename, relative } from "node:path";
import ts from "typescript";
import { checker, exportsOf, realOf, root } from "./public-program.ts";

// Writes what a subpath exports as Markdown: sentences from the docstrings, each parameter and field
// with its type where that is short. test/repository/exports has the exact types.

/** The pages of the root subpath, by the folder of the source; the first that fits takes a name. */
const rootPages: readonly (readonly [file: string, title: string, source: RegExp])[] = [
  ["api", "The API's records, events and errors", /^src\/(contract|rules\/refunds)\//],
  ["options", "The storefront and its options", /./],
];

interface ReferencePage {
  /** The file's name without its ending. */
  readonly file: string;
  readonly title: string;
  readonly symbols: readonly ts.Symbol[];
}

/** Where each name of a page is told: its address, seen from the page. */
type Places = ReadonlyMap<string, string>;

const byName = (symbols: readonly ts.Symbol[]): readonly ts.Symbol[] =>
  [...symbols].sort((a, b) => (a.name < b.name ? -1 : 1));

const rootPagesOf = (source: string): readonly ReferencePage[] =>
  rootPages.map(([file, title]) => ({
    file,
    title,
    symbols: byName(exportsOf(source).filter((symbol) => rootPageOf(symbol) === file)),
  }));

function rootPageOf(symbol: ts.Symbol): string {
  const file = realOf(symbol).declarations?.[0]?.getSourceFile().fileName ?? "";
  return rootPages.find(([, , source]) => source.test(relative(root, file)))?.[0] ?? "";
}

/** Every page of the reference: several of the root subpath, and one of each other. */
export function referencePages(
  subpaths: readonly { readonly name: string; readonly source: string; readonly entry: string }[],
): readonly ReferencePage[] {
  return subpaths.flatMap(({ name, source, entry }) =>
    name === "vitrine"
      ? rootPagesOf(source)
      : [{ file: entry, title: name, symbols: byName(exportsOf(source)) }],
  );
}

/** The sentences of a symbol; empty when nobody has written any. */
export const sentencesOf = (symbol: ts.Symbol): string =>
  ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/docs\/(contract\/[a-z-]+\.md(?:#[\w-]+)?)/g, "[the contract](../$1)")
    .replace(/docs\/([a-z-]+\.md(?:#[\w-]+)?)/g, "[$1](../$1)")
    .trim();

export function referenceOf(page: ReferencePage, pages: readonly ReferencePage[]): string {
  const rootFiles = new Set(rootPages.map(([file]) => file));
  // No page links to that of the storage: the package leaves it out.
  const sharedFiles = new Set([...rootFiles, "owner", "gateway", "node", "otel"]);
  const places = new Map<string, string>();
  for (const { file, symbols } of pages)
    if (sharedFiles.has(file))
      for (const { name } of symbols)
        if (!places.has(name)) places.set(name, `${file}.md#${name.toLowerCase()}`);
  for (const { name } of page.symbols) places.set(name, `#${name.toLowerCase()}`);

  const first = rootFiles.has(page.file)
    ? "Exported by `vitrine`. What the API does is in [the contract](../contract.md)."
    : "What the API does is in [the contract](../contract.md).";
  const texts = page.symbols.map((symbol) => describe(symbol, places));
  return `${[`# ${page.title}`, first, ...texts].join("\n\n")}\n`;
}

function describe(symbol: ts.Symbol, places: Places): string {
  const real = realOf(symbol);
  const lines = [`## ${symbol.name}`, ...(sentencesOf(real) === "" ? [] : [sentencesOf(real)])];

  const declaration = real.valueDeclaration ?? real.declarations?.[0];
  const type = declaration && checker.getTypeOfSymbolAtLocation(real, declaration);
  const signature = type?.getCallSignatures()[0];
  if (signature) return [...lines, ...functionLines(signature, places)].join("\n\n");

  const isRecord = (real.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
  if (isRecord) return [...lines, ...recordLines(real, places)].join("\n\n");

  const alias = real.declarations?.find(ts.isTypeAliasDeclaration);
  const text = alias ? writtenType(alias.type) : "";
  // An alias of a longer type is told by its sentence alone.
  if (text !== "" && text.length <= 160) lines.push(`It is \`${text}\`.`);
  return lines.join("\n\n");
}

function functionLines(signature: ts.Signature, places: Places): readonly string[] {
  const rows = signature.parameters.map((parameter) => {
    const node = parameter.valueDeclaration;
    const written = node && ts.isParameter(node) ? node.type : undefined;
    const optional =
      node && ts.isParameter(node) && Boolean(node.questionToken ?? node.initializer);
    const label = /^__\d+$/.test(parameter.name) ? "options" : parameter.name;
    const type = typeText(written, places, optional);
    return row({
      name: label,
      optional: Boolean(optional),
      type,
      sentences: sentencesOf(parameter),
    });
  });
  const declared = signature.declaration;
  const result = declared && "type" in declared ? declared.type : undefined;
  const gives = typeText(result && ts.isTypeNode(result) ? result : undefined, places);

  const takes = rows.length === 0 ? [] : [`Takes:`, rows.join("\n")];
  return [...takes, ...(gives === "" || gives === "`void`" ? [] : [`Gives ${gives}.`])];
}

function recordLines(symbol: ts.Symbol, places: Places): readonly string[] {
  const rows = asWritten(checker.getDeclaredTypeOfSymbol(symbol).getProperties()).map((member) => {
    const node = member.declarations?.[0];
    const optional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const sentences = sentencesOf(member);
    if (node && ts.isMethodSignature(node)) {
      const inputs = node.parameters.map(
        ({ name, questionToken }) => `${name.getText()}${questionToken ? "?" : ""}`,
      );
      const gives = typeText(node.type, places);
      const told = gives === "" || gives === "`void`" ? "" : ` Gives ${gives}.`;
      return `- \`${nameOf(member)}(${inputs.join(", ")})\`: ${joined(sentences)}${told}`.trim();
    }
    const written = node && ts.isPropertySignature(node) ? node.type : undefined;
    const type = written ? typeText(written, places, optional) : inferredType(member);
    return row({ name: nameOf(member), optional, type, sentences });
  });
  return rows.length === 0 ? [] : [rows.join("\n")];
}

/** The compiler lists the fields of `Pick` and `Omit` in the order in which it met their names. */
function asWritten(members: readonly ts.Symbol[]): readonly ts.Symbol[] {
  const places = new Map(
    members.map((member) => {
      const node = member.declarations?.[0];
      return [member, [placeOfFile(node?.getSourceFile().fileName), node?.pos ?? 0] as const];
    }),
  );
  const placeOf = (member: ts.Symbol) => places.get(member) ?? (["", 0] as const);
  return [...members].sort((a, b) => {
    const [fileA, startA] = placeOf(a);
    const [fileB, startB] = placeOf(b);
    return fileA === fileB ? startA - startB : fileA < fileB ? -1 : 1;
  });
}

/** Our files come first, then the compiler's, wherever the packages are installed. */
const placeOfFile = (name = ""): string =>
  name.includes("/node_modules/") ? `~${basename(name)}` : relative(root, name);

/** The compiler numbers well-known symbols as it meets them. */
const nameOf = ({ name }: ts.Symbol): string => name.replace(/^__@(\w+)@\d+$/, "[Symbol.$1]");

interface Row {
  readonly name: string;
  readonly optional: boolean;
  /** The type as code or as a link; empty when it is long. */
  readonly type: string;
  readonly sentences: string;
}

function row({ name, optional, type, sentences }: Row): string {
  const facts = [type, optional ? "optional" : ""].filter((fact) => fact !== "");
  const note = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return `- \`${name}\`${note}${sentences === "" ? "" : `: ${joined(sentences)}`}`;
}

/** The type as it is written, or a link to it on this page; empty when it is long. */
function typeText(node: ts.TypeNode | undefined, places: Places, optional = false): string {
  if (!node) return "";
  const written = writtenType(node);
  const text = optional
    ? written.replace(/ \| undefined$/, "").replace(/^\((\(.*\) => .*)\)$/, "$1")
    : written;
  const [, promised] = /^Promise<(\w+)>$/.exec(text) ?? [];
  if (promised !== undefined && places.has(promised))
    return `a promise of [${promised}](${places.get(promised)})`;
  if (places.has(text)) return `[${text}](${places.get(text)})`;
  return text.length <= 70 ? `\`${text}\`` : "";
}

/** The type as it is written, without the `undefined` of the optional fields in it. */
const writtenType = (node: ts.TypeNode): string =>
  oneLine(node.getText()).replace(/(\?: [^;{}]+?) \| undefined(?= ?[;}])/g, "$1");

/** The type of a field whose schema says it, without the `undefined` of optional ones. */
function inferredType(member: ts.Symbol): string {
  const text = inferredText(checker.getTypeOfSymbol(member));
  return text.length <= 40 && !/\b(any|unknown)\b/.test(text) ? `\`${text}\`` : "";
}

const printer = ts.createPrinter({ removeComments: true });
const nowhere = ts.createSourceFile("inferred.ts", "", ts.ScriptTarget.Latest);

/** The compiler lists the members of a union in the order in which it met them: here by name. */
function inferredText(type: ts.Type): string {
  const textOf = (node: ts.Node): string =>
    printer.printNode(ts.EmitHint.Unspecified, node, nowhere);
  const sorted = (node: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(node, sorted, undefined);
    if (!ts.isUnionTypeNode(inner)) return inner;
    const members = inner.types
      .filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
      .sort((a, b) => rankOf(a) - rankOf(b) || (textOf(a) < textOf(b) ? -1 : 1));
    return ts.factory.createUnionTypeNode(members);
  };
  const rankOf = (node: ts.Node): number => Number(textOf(node) === "null");

  const node = checker.typeToTypeNode(type, undefined, ts.NodeBuilderFlags.NoTruncation);
  return node ? oneLine(textOf(sorted(node))) : "";
}

const oneLine = (text: string): string =>
  text
    .replace(/\/\*\*?[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/^\s*\| /, "")
    .replaceAll("readonly ", "")
    .trim();
const joined = (text: string): string => text.replace(/\s*\n\s*/g, " ");
