// Builds the package into dist/:
//   npm run build
// One program of TypeScript writes the declarations of every source file, and tsup joins them by
// subpath. tsup alone would check the types again for each subpath: minutes, and gigabytes.
// Rollup then joins what esbuild has split: esbuild makes one file for each set of dynamic imports
// that share code, even code that is loaded already. An import then reads half as many files.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rollup } from "rollup";
import { connected } from "../test/repository/subpaths.mjs";

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

/** Joins the files of the subpaths that share some, and removes those that it has joined. */
async function joinFiles() {
  const dist = join(root, "dist");
  const bundle = await rollup({
    input: Object.fromEntries(connected.map((entry) => [entry, join(dist, `${entry}.js`)])),
    external: (id) => !/^[./]/.test(id),
    // As package.json says: an import of a file that gives nothing does nothing.
    treeshake: { moduleSideEffects: false },
    onLog(level, { message }) {
      if (level === "warn") throw new Error(message);
    },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: "es",
    chunkFileNames: "[name]-[hash].js",
    hoistTransitiveImports: false,
  });

  const written = new Set(output.map(({ fileName }) => join(dist, fileName)));
  for (const file of bundle.watchFiles) if (!written.has(file)) rmSync(file);
}
