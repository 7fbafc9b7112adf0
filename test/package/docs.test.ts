import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import tsconfig from "../../tsconfig.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const files = [
  "README.md",
  ...readdirSync(join(root, "docs")).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name}`] : [],
  ),
];

interface Block {
  /** `docs/x.md:12`: where the block starts. */
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

const blocks: readonly Block[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^```(tsx?)\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    const module = `${match[2] ?? ""}\nexport {};\n`; // a module of its own: what it declares is no one else's
    return {
      place: `${file}:${line}`,
      path: join(root, `test/package/${file.replaceAll("/", "-")}-${line}.block.${match[1]}`),
      text: module,
    };
  });
});

/** One program for all blocks, held in memory, against the sources by the paths of tsconfig.json. */
function compile(): ts.Program {
  const { options } = ts.convertCompilerOptionsFromJson(tsconfig.compilerOptions, root);
  const all = { ...options, noEmit: true, baseUrl: root, jsx: ts.JsxEmit.ReactJSX };
  const host = ts.createCompilerHost(all);
  const texts = new Map(blocks.map(({ path, text }) => [path, text]));
  // The reader's own file that a route file of Next.js imports, three folders up.
  texts.set(
    resolve(root, "test/package/../../../shop.ts"),
    'export declare const openShop: () => Promise<import("vitrine").Storefront>;',
  );
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, ...rest)
      : ts.createSourceFile(name, text, rest[0]);
  };
  host.fileExists = (name) => texts.has(name) || fileExists.call(host, name);
  host.readFile = (name) => texts.get(name) ?? readFile.call(host, name);
  return ts.createProgram(
    [join(root, "test/package/docs-prelude.d.ts"), ...texts.keys()],
    all,
    host,
  );
}

describe("every block of README and docs is TypeScript that compiles", () => {
  const program = compile();
  test.each(blocks)("$place", ({ path }) => {
    // A block may be the body of a handler: `return` outside of a function is its reader's business.
    const faults = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .filter(({ code }) => code !== 1108);
    expect(
      faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ).toEqual([]);
  });
});

test("links between README, docs and examples lead somewhere", () => {
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [path = "", anchor] = target.split("#");
      const full = path === "" ? join(root, file) : resolve(root, dirname(file), path);
      expect(existsSync(full), `${file} → ${target}`).toBe(true);
      if (anchor && full.endsWith(".md"))
        expect(anchorsOf(full), `${file} → ${relative(root, full)}#${anchor}`).toContain(anchor);
    }
  }
});

const anchorsOf = (file: string): readonly string[] =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .replace(/\s/g, "-"),
  );
