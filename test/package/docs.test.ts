import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import tsconfig from "../../tsconfig.json" with { type: "json" };
import { anchorsOf, filesBelow, readText, root } from "../support/markdown.ts";

const isMarkdown = (path: string): boolean => path.endsWith(".md");
const guides = ["README.md", ...filesBelow("docs").filter(isMarkdown)];
const linked = [...guides, "CONTRIBUTING.md", ...filesBelow("examples").filter(isMarkdown)];

interface Block {
  /** `README.md:12`: where the block starts. */
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

const blocks: readonly Block[] = guides.flatMap((file) => {
  const text = readText(file);

  return [...text.matchAll(/^```(tsx?)\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    // The export makes each block a module, so that its declarations are its own.
    const module = `${match[2] ?? ""}\nexport {};\n`;

    return {
      place: `${file}:${line}`,
      path: join(root, `test/package/${file.replaceAll("/", "-")}-${line}.block.${match[1]}`),
      text: module,
    };
  });
});

/** Compiles all blocks in one program, in memory, against the sources that tsconfig.json names. */
function compile(): ts.Program {
  const { options } = ts.convertCompilerOptionsFromJson(tsconfig.compilerOptions, root);
  const all = { ...options, noEmit: true, baseUrl: root, jsx: ts.JsxEmit.ReactJSX };
  const host = ts.createCompilerHost(all);
  const texts = new Map(blocks.map(({ path, text }) => [path, text]));
  // The README's route file of Next.js imports the reader's own shop.ts, three folders up.
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
    // A block may be the body of a handler, so `return` outside a function (1108) is accepted.
    const faults = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .filter(({ code }) => code !== 1108);
    expect(
      faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ).toEqual([]);
  });
});

test("links between README, CONTRIBUTING, docs and examples lead somewhere", () => {
  for (const file of linked) {
    const links = readText(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g);

    for (const [, target = ""] of links) {
      const [path = "", anchor] = target.split("#");
      const full = path === "" ? join(root, file) : resolve(root, dirname(file), path);
      const place = relative(root, full);

      expect(existsSync(full), `${file} → ${target}`).toBe(true);
      if (anchor && isMarkdown(full))
        expect(anchorsOf(readText(place)), `${file} → ${place}#${anchor}`).toContain(anchor);
    }
  }
});
