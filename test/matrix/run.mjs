// Runs the package on other runtimes, which it installs from npm:
//   node test/matrix/run.mjs [--suite 22,24] [--smoke 22,26] [--bun] [--deno] [--lowest]
// Without options it runs everything. `--suite` runs all tests in fresh clones of the last commit,
// on node:sqlite and on better-sqlite3 13; the others need a build (npm run build). better-sqlite3
// 12 needs a compiler where its binary cannot be downloaded. 13 brings its binaries.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = resolve(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    suite: { type: "string" },
    smoke: { type: "string" },
    bun: { type: "boolean" },
    deno: { type: "boolean" },
    lowest: { type: "boolean" },
  },
});
const everything = Object.keys(values).length === 0;
const versions = (text, otherwise) =>
  (text ?? (everything ? otherwise : "")).split(",").filter(Boolean);
const folder = mkdtempSync(join(tmpdir(), "vitrine-matrix-"));
const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
const manifest = readJson("package.json");
const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
const install = (cwd, packages, env) =>
  run("npm", ["install", "--silent", "--no-audit", "--no-save", ...packages], cwd, env);
const fresh = (name) => {
  const made = join(folder, name);
  mkdirSync(made);
  writeFileSync(
    join(made, "package.json"),
    JSON.stringify({ name, private: true, type: "module" }),
  );
  return made;
};

/** Installs a Node from npm and returns the environment that runs it and compiles for it. */
function nodeFromNpm(version) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = fresh(`node-${version}`);
  install(home, [`${name}@${version}`]);
  const nodedir = join(home, "node_modules", name);
  return {
    PATH: `${join(nodedir, "bin")}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodedir,
  };
}

/** Packs the built package when it is first needed. */
function tarball() {
  const find = () => readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (!find()) run("npm", ["pack", "--silent", "--pack-destination", folder], root);
  return join(folder, find());
}

const drivers = ["better-sqlite3", "kysely", "pg"];
const locked = readJson("package-lock.json").packages;
const newest = drivers.map((name) => `${name}@${locked[`node_modules/${name}`].version}`);
// The lock file has the versions that Node 20 takes. Later versions of Node get the other end of
// each peer range.
const highest = Object.entries(manifest.peerDependencies)
  .filter(([, range]) => range.includes("||"))
  .map(([name, range]) => `${name}@${range.split("||").at(-1).trim()}`);
const lowest = Object.entries({ ...manifest.peerDependencies, ...manifest.dependencies })
  .filter(([name]) => !name.startsWith("@"))
  .map(([name, range]) => `${name}@${range.split(" ")[0].slice(1)}`);

function smoke(name, packages, env, commands) {
  const place = fresh(name);
  install(place, [tarball(), ...packages], env);
  cpSync(join(root, "test/matrix/smoke.mjs"), join(place, "smoke.mjs"));
  for (const [command, ...args] of commands) run(command, args, place, env);
}
/** The whole suite in a fresh clone, on each driver of SQLite that a version of Node has. */
function suite(version) {
  const env = nodeFromNpm(version);
  const place = join(folder, `suite-${version}`);
  run("git", ["clone", "--quiet", root, place], folder);

  // Without better-sqlite3, all is on node:sqlite. The scripts would only compile it.
  run("npm", ["ci", "--silent", "--no-audit", "--ignore-scripts"], place, env);
  rmSync(join(place, "node_modules/better-sqlite3"), { recursive: true, force: true });
  run("npm", ["test"], place, env);
  run("npx", ["vitest", "run", "test/chaos/chaos.test.ts"], place, { ...env, CHAOS_SECONDS: "60" });

  // The newest better-sqlite3 and kysely that the package takes.
  install(place, highest, env);
  run("npm", ["test"], place, env);
}

const onNode = [
  ["node", "smoke.mjs"],
  ["node", "smoke.mjs", "smoke.sqlite"],
];

try {
  for (const version of versions(values.smoke, "22,26"))
    smoke(`smoke-${version}`, newest, nodeFromNpm(version), onNode);
  if (values.lowest || everything) smoke("lowest", lowest, {}, onNode);
  if (values.bun || everything) smoke("bun", ["bun"], {}, [["npx", "bun", "smoke.mjs"]]);
  if (values.deno || everything)
    smoke("deno", ["deno"], {}, [["npx", "deno", "run", "--allow-all", "smoke.mjs"]]);
  for (const version of versions(values.suite, "22,24")) suite(version);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
