// Builds the package into dist/:
//   npm run build
// One program of TypeScript writes the declarations of every source file, and tsup joins them by
// subpath. tsup alone would check the types again for each subpath: minutes, and gigabytes.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Runs a program of node_modules; its failure ends the build. */
function run(program, ...args) {
  const path = join(root, "node_modules", program);
  execFileSync(process.execPath, [path, ...args], { cwd: root, stdio: "inherit" });
}

rmSync(join(root, "dist"), { recursive: true, force: true });
run("typescript/bin/tsc", "--project", ".ci/declarations.json");
run("tsup/dist/cli-default.js");
rmSync(join(root, "dist/declarations"), { recursive: true });
