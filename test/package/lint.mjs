// Checks the built package with publint and Are the Types Wrong, and every subpath against its
// budget. Run it after `npm run build`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { program, subpaths } from "../repository/subpaths.mjs";
import { loadedBy } from "./loaded.mjs";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const faults = [];

const { messages } = await publint({ pkgDir: root, strict: true });
faults.push(...messages.map((message) => `publint: ${formatMessage(message, manifest)}`));

const folder = mkdtempSync(join(tmpdir(), "vitrine-lint-"));
try {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: root,
    stdio: "ignore",
  });
  const [tarball] = readdirSync(folder);
  const attw = join(root, "node_modules/.bin/attw");
  execFileSync(
    attw,
    [
      join(folder, tarball),
      "--profile",
      "esm-only",
      "--no-definitely-typed",
      "--format",
      "ascii",
      "--no-color",
    ],
    {
      encoding: "utf8",
    },
  );
  const rows = execFileSync("tar", ["-tvzf", join(folder, tarball)], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.split(/\s+/));
  const files = rows.map((row) => row.at(-1));
  const installed = rows.reduce((sum, [, , size]) => sum + Number(size), 0);
  console.log(`installed: ${(installed / 1e6).toFixed(2)} of 6 MB`);
  if (!(installed <= 6_000_000)) faults.push(`${installed} bytes are installed: at most 6 MB.`);
  for (const name of ["package/LICENSE", "package/README.md", "package/CHANGELOG.md"])
    if (!files.includes(name)) faults.push(`${name} is not packed.`);
  const stray = files.filter(
    (name) =>
      !/^package\/((dist|docs|examples)\/.*|LICENSE|(README|CHANGELOG|SECURITY)\.md|package\.json)$/.test(
        name,
      ),
  );
  if (stray.length > 0) faults.push(`packed without need: ${stray.join(", ")}`);
} catch (error) {
  faults.push(`attw: ${error.message}`, error.stdout);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const { path, built, budget, forbidden } of [...subpaths, program]) {
  const { bytes, text } = await loadedBy(root, built);
  console.log(`${path}: ${bytes} of ${budget} bytes gzip`);

  if (bytes > budget) faults.push(`${path} is over its budget: ${bytes} of ${budget} bytes.`);
  for (const pattern of forbidden)
    if (pattern.test(text)) faults.push(`${path} contains ${pattern}.`);
}

for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
