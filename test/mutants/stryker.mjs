// Has Stryker mutate parts of src, and prints the score of each:
//   node test/mutants/stryker.mjs access rules
// A name stands for every part that begins with it. Without one it runs all parts of
// test/mutants/parts.json, which takes about two hours.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import parts from "./parts.json" with { type: "json" };
import shared from "./stryker.config.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, ".data/mutants");
const stryker = join(root, "node_modules/.bin/stryker");

const given = process.argv.slice(2);
const names = Object.keys(parts);
const unknown = given.filter((word) => !names.some((name) => name.startsWith(word)));
if (unknown.length > 0) throw new Error(`There is no part ${unknown}: ${names.join(", ")}.`);

const isWanted = (name) => given.length === 0 || given.some((word) => name.startsWith(word));
const failed = [];

mkdirSync(folder, { recursive: true });
for (const name of names.filter(isWanted)) {
  // `ignoreStatic`: a mutant of what a module computes when it is loaded would run all tests.
  const { mutate, ignoreStatic = false } = parts[name];
  const config = join(folder, `${name}.config.json`);
  writeFileSync(config, JSON.stringify({ ...shared, mutate, ignoreStatic }));

  const env = { ...process.env, STRYKER_PART: name };
  const { status } = spawnSync(stryker, ["run", config], { cwd: root, env, stdio: "inherit" });
  if (status !== 0) failed.push(name);
}

if (failed.length > 0) {
  console.error(`Too many mutants survive in: ${failed.join(", ")}.`);
  process.exit(1);
}
