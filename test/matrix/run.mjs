// Runs the package on other runtimes, which it installs from npm:
//   npm run matrix -- [--suite 24] [--smoke 22,26] [--bun] [--deno] [--lowest]
// Without options it runs everything. It needs a build (npm run build) and a compiler for
// better-sqlite3, whose binaries fit one version of Node.
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

run("npm", ["pack", "--silent", "--pack-destination", folder], root);
const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
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
  install(place, [tarball, ...packages], env);
  cpSync(join(root, "test/matrix/smoke.mjs"), join(place, "smoke.mjs"));
  for (const [command, ...args] of commands) run(command, args, place, env);
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
  for (const version of versions(values.suite, "24")) {
    const env = nodeFromNpm(version);
    const place = join(folder, `suite-${version}`);
    run("git", ["clone", "--quiet", root, place], folder);
    run("npm", ["ci", "--silent", "--no-audit"], place, env);
    // The locked better-sqlite3 12 is not used on Node 24.19 or later: this runs on node:sqlite.
    run("npm", ["test"], place, env);
    install(place, highest, env);
    run("npm", ["test"], place, env);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
