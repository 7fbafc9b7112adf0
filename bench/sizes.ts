import { loadedBy } from "../test/package/loaded.mjs";
import { subpaths } from "../test/repository/subpaths.mjs";
import { builtPackage } from "./dist.ts";
import type { Row } from "./row.ts";

/** Measures what an import of each subpath loads, which is its own files, minified and gzipped. */
export async function benchSizes(): Promise<Row[]> {
  const root = builtPackage();
  const values: Record<string, number> = {};

  for (const { path, built } of subpaths) {
    values[path] = (await loadedBy(root, built)).bytes;
    process.stderr.write(".");
  }

  const targets = subpaths.map(({ path, budget }) => ({ side: path, atMost: budget }));
  return [{ work: "size of each subpath, gzip", unit: "bytes", values, base: ".", targets }];
}
