import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readText, root } from "../support/markdown.ts";

/** The files that `npm pack` takes, and the folders that they lie in. */
function packedPaths(): { readonly files: readonly string[]; readonly all: ReadonlySet<string> } {
  const text = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(text);
  const paths: string[] = files.map(({ path }: { path: string }) => path);

  const all = new Set(paths);
  for (const path of paths)
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) all.add(folder);
  return { files: paths, all };
}

test("every relative link of the package leads to something that is in the package", () => {
  const { files, all } = packedPaths();
  const documents = files.filter((path) => path.endsWith(".md"));
  expect(documents.length).toBeGreaterThan(80);

  const dead = documents.flatMap((file) =>
    [...readText(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g)]
      .map(([, target = ""]) => ({ target, path: join(dirname(file), target) }))
      .filter(({ path }) => !all.has(path.replace(/\/$/, "")) || !existsSync(join(root, path)))
      .map(({ target }) => `${file} → ${target}`),
  );
  expect(dead).toEqual([]);
});
