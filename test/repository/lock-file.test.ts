import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

interface Entry {
  /** Where the package comes from: for a folder of the repository, its path. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, "../..");
const folders = [".", "test", "bench", "examples/next", ".ci"];

const packagesOf = (folder: string): Readonly<Record<string, Entry>> =>
  JSON.parse(readFileSync(join(root, folder, "package-lock.json"), "utf8")).packages;

test.each(folders)(
  "the lock file of %s holds the packages of every platform, without which npm ci refuses it",
  (folder) => {
    const packages = packagesOf(folder);
    const locked = new Set(
      Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
    );

    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
  },
);

test.each(folders)("the lock file of %s names no registry", (folder) => {
  const named = Object.entries(packagesOf(folder)).filter(
    ([, { resolved, link }]) => resolved !== undefined && !link,
  );
  expect(named).toEqual([]);
});

test("the folders with a lock file have the setting that keeps registries out of it", () => {
  for (const folder of folders)
    expect(readFileSync(join(root, folder, ".npmrc"), "utf8")).toContain(
      "omit-lockfile-registry-resolved=true",
    );
  expect(existsSync(join(root, "examples/demo/package-lock.json"))).toBe(false);
});
