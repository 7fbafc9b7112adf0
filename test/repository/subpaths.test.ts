import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import tsconfig from "../../tsconfig.json" with { type: "json" };
import { subpaths } from "./subpaths.mjs";

const root = resolve(import.meta.dirname, "../..");

test("tsconfig.json maps each subpath of package.json to its source: `npm run docs`", () => {
  const paths = subpaths.map(({ name, source }) => [name, [`./${source}`]]);
  expect(Object.entries(tsconfig.compilerOptions.paths)).toEqual(paths);
});

test("knip starts from the source of each subpath: `npm run docs`", () => {
  expect(manifest.knip.entry).toEqual(expect.arrayContaining(subpaths.map(({ source }) => source)));
});

test.each(subpaths)("$name has a source file and one name for its built file", (subpath) => {
  const { path, entry, source } = subpath;
  expect(existsSync(resolve(root, source))).toBe(true);
  expect(entry).toBe(path.replace(/^\.\/?/, "").replaceAll("/", "-") || "index");
});
