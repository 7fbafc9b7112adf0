import { defineConfig, type Options } from "tsup";
import { external, program, subpaths } from "./test/package/subpaths.mjs";

const shared: Options = {
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [/^node:/, ...external],
  dts: true,
  // The sources are not in the package, and what is built reads like them: a map would be 6 MB.
  sourcemap: false,
  treeshake: true,
};

const sourceOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    subpaths
      .filter(({ entry }) => names.includes(entry))
      .map(({ entry, source }) => [entry, source]),
  );

// Users copy these three to places without a bundler, so each is built as one file without imports.
const standalone = ["webhooks", "client", "money"];
const connected = subpaths.map(({ entry }) => entry).filter((entry) => !standalone.includes(entry));

/** The command line: one file with commander in it, which imports the rest by its public names. */
const commandLine: Options = {
  ...shared,
  entry: { [program.entry]: program.source },
  platform: "node",
  external: [...(shared.external ?? []), /^vitrine(\/|$)/],
  noExternal: ["commander"],
  dts: false,
  splitting: false,
  // Rollup would move the first line behind the imports.
  treeshake: false,
  banner: { js: program.banner },
};

export default defineConfig([
  { ...shared, entry: sourceOf(connected), splitting: true },
  ...standalone.map((name) => ({ ...shared, entry: sourceOf([name]), splitting: false })),
  commandLine,
]);
