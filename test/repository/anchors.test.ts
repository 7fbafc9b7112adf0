import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, filesBelow, readText, root } from "../support/markdown.ts";

const folders = ["src", "adapters", "test", "bench", "examples"];
const isText = (path: string): boolean => /\.(ts|tsx|mjs|mts|md|html)$/.test(path);
const files = folders.flatMap(filesBelow).filter(isText);

test("every docs/….md that a file cites exists, and its anchor", () => {
  const missing = files.flatMap((file) => {
    const citations = readText(file).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g);

    return [...citations]
      .filter(([, document = "", anchor = ""]) => {
        if (!existsSync(join(root, document))) return true;
        return anchor !== "" && !anchorsOf(readText(document)).includes(anchor);
      })
      .map(([citation]) => `${file}: ${citation}`);
  });

  expect(missing).toEqual([]);
});

// Working papers of the project's first days. The repository does not hold them.
const absent = ["SPEC", "CONTRACT", "ARCHITECTURE", "STYLE", "TARGETS"];

test("no file cites a document that the repository lacks", () => {
  const citation = new RegExp(`\\b(${absent.join("|")})\\b`);
  const self = "test/repository/anchors.test.ts";

  const found = files
    .filter((file) => file !== self)
    .flatMap((file) =>
      readText(file)
        .split("\n")
        .flatMap((line, index) => (citation.test(line) ? [`${file}:${index + 1}`] : [])),
    );

  expect(found).toEqual([]);
});

test("every file and folder that CONTRIBUTING.md and the guides name exists", () => {
  const guides = ["CONTRIBUTING.md", "README.md", ...filesBelow("docs")];
  const named = /`((?:src|adapters|test|docs|bench|examples)\/[\w./[\]-]*)`/g;

  const missing = guides
    .filter((guide) => guide.endsWith(".md"))
    .flatMap((guide) =>
      [...readText(guide).matchAll(named)]
        .filter(([, path = ""]) => !existsSync(join(root, path)))
        .map(([, path]) => `${guide}: ${path}`),
    );

  expect(missing).toEqual([]);
});
