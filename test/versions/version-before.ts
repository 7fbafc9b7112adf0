import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const list = ".ci/version-before";
const longestMs = 60_000;

/** The commit or tag that `.ci/version-before` names. */
export const versionBefore =
  readFileSync(join(root, list), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !line.startsWith("#")) ?? "";

const git = (...args: readonly string[]): Buffer =>
  execFileSync("git", args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1_000_000_000,
    timeout: longestMs,
  });

function has(commit: string): boolean {
  try {
    git("cat-file", "-e", `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** A shallow clone lacks the commit, and can ask for it alone. */
function fetchCommit(): string {
  try {
    git("fetch", "--depth=1", "origin", versionBefore);
  } catch (error) {
    const { stderr } = error as { readonly stderr?: Buffer };
    throw new Error(
      `This clone lacks ${versionBefore}, which ${list} names, and could not fetch it from its` +
        ` origin: ${stderr?.toString().trim() ?? error}. Run \`git fetch --unshallow\`, or name a` +
        " commit in that file that the repository has.",
    );
  }
  return "FETCH_HEAD";
}

/**
 * Writes the version before into a folder of its own, with the packages of this checkout beside
 * it and these files of this checkout in it. Gives the folder, which the caller removes.
 */
export function checkOutBefore(...files: readonly string[]): string {
  const commit = has(versionBefore) ? versionBefore : fetchCommit();
  const folder = mkdtempSync(join(tmpdir(), "vitrine-before-"));

  const paths = ["src", "adapters", "package.json", "tsconfig.json"];
  const archive = git("archive", "--format=tar", commit, "--", ...paths);
  execFileSync("tar", ["-x", "-C", folder], { input: archive, timeout: longestMs });

  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  return folder;
}
