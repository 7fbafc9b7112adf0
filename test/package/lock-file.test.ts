import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

interface Entry {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const lock = readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8");
const packages: Readonly<Record<string, Entry>> = JSON.parse(lock).packages;

test("the lock file holds the packages of every platform, without which npm ci refuses it", () => {
  const locked = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
  );
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
