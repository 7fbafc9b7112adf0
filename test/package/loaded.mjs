import { join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { external } from "../repository/subpaths.mjs";

/**
 * Gives what an import of a built entry loads at once: the entry and its static imports, but not
 * what it imports later.
 * @param {string} root
 * @param {string} entry
 */
export async function loadedBy(root, entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
    metafile: true,
    logLevel: "error",
    external,
  });
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const part of metafile.outputs[path].imports)
      if (part.kind === "import-statement" && !part.external) load(part.path);
  };
  // What is imported later is an entry point of the bundle too.
  const isEntry = (path) => metafile.outputs[path].entryPoint === normalize(entry);
  load(Object.keys(metafile.outputs).find(isEntry));
  const own = outputFiles.filter((file) => loaded.has(file.path.slice(root.length + 1)));
  return {
    bytes: gzipSync(Buffer.concat(own.map((file) => file.contents)), { level: 9 }).length,
    text: own.map((file) => file.text).join("\n"),
  };
}
