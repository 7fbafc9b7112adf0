import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadedBy } from "../test/package/loaded.mjs";
import { subpaths } from "../test/package/subpaths.mjs";
import { builtPackage } from "./dist.ts";
import type { Row } from "./row.ts";

/** What an import of each subpath loads, minified and gzip, its own files alone, against the budget that the package's check holds it to. */
export async function benchSizes(): Promise<Row[]> {
  const root = builtPackage();
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { default: string }>;
  };
  const values: Record<string, number> = {};
  for (const name of Object.keys(subpaths)) {
    values[name] = (await loadedBy(root, exports[name]?.default ?? "")).bytes;
    process.stderr.write(".");
  }
  const targets = Object.entries(subpaths).map(([side, { budget }]) => ({ side, atMost: budget }));
  return [{ work: "size of each subpath, gzip", unit: "bytes", values, base: ".", targets }];
}
