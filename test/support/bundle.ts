import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "../..");
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a file once with the sources that it imports. A process of the bundle starts in a
 * third of the time that tsx takes, which counts where a test starts and kills dozens. The bundle
 * lies in the repository until this process ends, so that Node finds the packages; the file still
 * sees its own folder. `tree` is the checkout whose sources it takes.
 */
export function bundleOf(file: string, tree = root): Promise<string> {
  const path = join(tree, file);
  const known = bundles.get(path) ?? bundle(path, tree);
  bundles.set(path, known);
  return known;
}

async function bundle(path: string, tree: string): Promise<string> {
  const outfile = join(root, `.data/bundles/${path.replace(/\W/g, "-")}-${process.pid}.mjs`);
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    plugins: [externalPackages],
    define: { "import.meta.dirname": JSON.stringify(dirname(path)) },
    tsconfig: join(tree, "tsconfig.json"),
    logLevel: "warning",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}

/**
 * Leaves packages to Node, but for those that are nothing but ES modules: Node takes longer to
 * find and load their files than to read them as part of the bundle.
 */
const externalPackages: Plugin = {
  name: "external-packages",
  setup(build) {
    const isInlined = /^(vitrine|jose|kysely|lean-qr|p-retry|zod)(\/|$)/;
    build.onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
      kind === "entry-point" || isInlined.test(path) ? undefined : { path, external: true },
    );
  },
};

/** Bundles a file and returns a function that starts a process of it. */
export async function forkable(
  file: string,
  tree?: string,
): Promise<(args: readonly string[]) => ChildProcess> {
  const bundle = await bundleOf(file, tree);
  return (args) => fork(bundle, args, { execArgv: ["--enable-source-maps"] });
}
