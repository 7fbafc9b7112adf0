// Writes what documents and listings take from the code: docs/reference, docs/cli.md, the tables of
// the contract and the dashboard's guide, the listings of test/repository/exports, the statements of the
// hot paths beside their code in adapters/storage/sql, and the lists of subpaths in tsconfig.json
// and package.json.
//   npm run docs
//   npm run docs -- --pictures     also the pictures, which need Chromium (CHROMIUM names it)
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const pictures = process.argv.includes("--pictures");
const node = (file, ...args) =>
  execFileSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: "inherit" });

node(".ci/packages.mjs", "test");
node("test/repository/write-paths.mjs");
node(
  "node_modules/vitest/vitest.mjs",
  ...["run", "--project", "unit"],
  ...["test/repository/public-types.test.ts", "test/repository/contract.test.ts"],
  ...["test/cli/docs.test.ts", "test/dashboard/docs.test.ts"],
  "test/conformance/hot-statements.test.ts",
  // Last, because Vitest takes a word behind it for its value.
  "-u",
);

if (pictures) {
  for (const script of ["screenshots", "demo-screenshots"])
    node("node_modules/tsx/dist/cli.mjs", `test/browser/${script}.ts`);

  // The package holds these: 20 colours take a quarter of the bytes.
  const packed = ["checkout-form", "checkout-qr-code", "dashboard-overview"];
  const files = packed.map((name) => join(root, `docs/images/${name}.png`));
  execFileSync("pngquant", ["--force", "--ext", ".png", "20", ...files], { stdio: "inherit" });
  for (const file of [...files, join(root, "docs/images/demo.png")])
    execFileSync("zopflipng", ["-y", file, file], { stdio: "inherit" });
}
