import { type ChildProcess, fork } from "node:child_process";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "../..");

/**
 * A file of test/ as one bundle of the sources: a process of it starts in a third of the time that tsx takes, which counts where dozens are
 * started and killed. It lies within the repository, so that the packages are found.
 */
export async function bundleOf(file: string): Promise<string> {
  const outfile = join(root, `.data/bundles/${file.replace(/\W/g, "-")}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, file)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: join(root, "tsconfig.json"),
    logLevel: "warning",
  });
  return outfile;
}

/** Bundles a file once and gives what starts a process of it. */
export async function forkable(file: string): Promise<(args: readonly string[]) => ChildProcess> {
  const bundle = await bundleOf(file);
  return (args) => fork(bundle, args, { execArgv: ["--enable-source-maps"] });
}
