import { join } from "node:path";
import { buildSync } from "esbuild";

/** Bundles the script of the shop and the client into one file. */
export function bundleShopScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, "shop-page.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
