import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/**
 * Bundles the working script with the sources of a commit. With null it takes those
 * of the working tree.
 */
export async function sideOf(commit: string | null): Promise<string> {
  const folder = commit === null ? root : sourcesOf(commit);
  const outfile = join(root, `.data/bundles/cost-${commit ?? "now"}-${process.pid}.mjs`);
  await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, "bench/cost/side.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: join(folder, "tsconfig.json"),
    logLevel: "warning",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}

/**
 * Takes the library of a commit out of git, with the bench of the working tree. It lies inside the
 * repository, so that both sides find the same packages.
 */
function sourcesOf(commit: string): string {
  const folder = join(root, `.data/cost/${commit}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

  const parts = ["src", "adapters", "package.json", "tsconfig.json"];
  const archive = execFileSync("git", ["archive", commit, ...parts], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  for (const file of ["bench/purchase.ts", "bench/cost"])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  return folder;
}
