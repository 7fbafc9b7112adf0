import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Gives the built package. It builds again, without types, when a source is newer. */
export function builtPackage(): string {
  const built = join(root, "dist/index.js");
  const sources = ["src", "adapters"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(root, folder, file),
    ),
  );
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (!existsSync(built) || statSync(built).mtimeMs < newest)
    execFileSync("npx", ["tsup", "--no-dts"], { cwd: root, stdio: "ignore" });
  return root;
}
