import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, readText, root } from "../support/markdown.ts";

/** The paragraphs, list items and rows of CONTRIBUTING.md, without its blocks of code. */
const passages = readText("CONTRIBUTING.md")
  .replace(/```[\s\S]*?```/g, "")
  .split(/\n(?=\s*(?:\d+\.|-|\|)\s)|\n\n/);

/** What stands between backticks. */
const codeIn = (passage: string): readonly string[] =>
  [...passage.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

const isPath = (code: string): boolean =>
  /^(src|adapters|test|bench|examples|docs)\/[^\s*#]+$/.test(code);
const isName = (code: string): boolean => /^[A-Za-z]+[a-z][A-Z][A-Za-z]*$/.test(code);

test("every file and folder that CONTRIBUTING names exists", () => {
  const paths = passages.flatMap(codeIn).filter(isPath);
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("every function and type of CONTRIBUTING is exported by a file that stands beside it", () => {
  const lost = passages.flatMap((passage) => {
    const code = codeIn(passage);
    const files = code
      .filter(isPath)
      .flatMap((path) => (statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path]));
    const texts = files.filter((file) => /\.(ts|mjs)$/.test(file)).map(readText);
    return code
      .filter(isName)
      .filter((name) => !texts.some((text) => exportsName(text, name)))
      .map((name) => `${name} beside ${code.filter(isPath).join(", ") || "no file"}`);
  });
  expect(lost).toEqual([]);
});

const exportsName = (text: string, name: string): boolean =>
  new RegExp(
    `export (?:declare )?(?:async )?(?:const|function\\*?|interface|type|class) ${name}\\b|export (?:type )?\\{[^}]*\\b${name}\\b`,
  ).test(text);
