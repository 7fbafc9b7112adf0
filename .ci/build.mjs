// Builds the package into dist/:
//   npm run build
// One program of TypeScript writes the declarations of every source file, and tsup joins them by
// subpath. tsup alone would check the types again for each subpath: minutes, and gigabytes.
// Rollup then joins what esbuild has split: esbuild makes a file of its own for whatever another
// set of dynamic imports shares, also where that is loaded already. An import reads half as many.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rollup } from "rollup";
import { program, standalone, subpaths } from "../test/repository/subpaths.mjs";

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
await joinFiles();

/** Joins the files of the subpaths that share some, and removes those that nothing reads then. */
async function joinFiles() {
  const dist = join(root, "dist");
  const shared = subpaths.filter(({ entry }) => !standalone.includes(entry));
  const bundle = await rollup({
    input: Object.fromEntries(shared.map(({ entry }) => [entry, join(dist, `${entry}.js`)])),
    external: (id) => !/^[./]/.test(id),
    // As package.json says: an import of a file that gives nothing does nothing.
    treeshake: { moduleSideEffects: false },
    onLog(level, { message }) {
      if (level === "warn") throw new Error(message);
    },
  });
  const before = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".js"));
  const { output } = await bundle.write({
    dir: dist,
    format: "es",
    chunkFileNames: "[name]-[hash].js",
    hoistTransitiveImports: false,
  });

  const kept = new Set(output.map(({ fileName }) => fileName));
  for (const { entry } of subpaths) kept.add(`${entry}.js`);
  kept.add(`${program.entry}.js`);
  for (const file of before) if (!kept.has(file)) rmSync(join(dist, file));
}
