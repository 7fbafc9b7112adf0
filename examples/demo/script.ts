import { join } from "node:path";
import { buildSync } from "esbuild";

/** The shop's script with the client in it: one file, as any bundler would make it. */
export function bundleShopScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, "shop-page.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
