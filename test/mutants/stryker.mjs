// Has Stryker mutate parts of src, and prints the score of each:
//   npm run stryker -- domain verifier
// Without a part it runs all parts of test/mutants/parts.json, which takes about an hour.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import parts from "./parts.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const config = "test/mutants/stryker.config.json";
const stryker = join(root, "node_modules/.bin/stryker");

const given = process.argv.slice(2);
const failed = [];

for (const name of given.length > 0 ? given : Object.keys(parts)) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(parts).join(", ")}.`);

  const args = ["run", config, "--mutate", part.mutate.join(",")];
  const env = { ...process.env, STRYKER_PART: name };
  const { status } = spawnSync(stryker, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) failed.push(name);
}

if (failed.length > 0) {
  console.error(`Too many mutants survive in: ${failed.join(", ")}.`);
  process.exit(1);
}
