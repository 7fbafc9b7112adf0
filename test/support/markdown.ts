import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** The anchors that GitHub gives to the headings of a Markdown text. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .replace(/\s/g, "-"),
  );

/** Files below a folder of the repository, as paths from its root; packages and builds are left out. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|\.next|dist)\//.test(path));

/** The chapters of the contract, which docs/contract.md lists. */
export const contractFiles = filesBelow("docs/contract");

export const readText = (path: string): string => readFileSync(join(root, path), "utf8");
