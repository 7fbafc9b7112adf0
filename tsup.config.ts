import { defineConfig, type Options } from "tsup";
import { connected, external, program, standalone, subpaths } from "./test/repository/subpaths.mjs";

const shared: Options = {
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [/^node:/, ...external],
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

/** Joins what `.ci/build.mjs` has declared, file by file, to the declarations of these entries. */
const declarationsOf = (names: readonly string[]): Options["dts"] => {
  const declared = Object.entries(sourceOf(names)).map(([entry, source]) => [
    entry,
    `dist/declarations/${source.replace(/\.ts$/, ".d.ts")}`,
  ]);
  const paths = { "#core/*": ["./dist/declarations/src/*"] };
  return { entry: Object.fromEntries(declared), compilerOptions: { paths } };
};

/** The command line: one file with commander in it, which imports the rest by its public names. */
const commandLine: Options = {
  ...shared,
  entry: { [program.entry]: program.source },
  platform: "node",
  external: [...(shared.external ?? []), /^vitrine(\/|$)/],
  noExternal: ["commander"],
  splitting: false,
  // Nobody imports it, so it is shorter: names stay, for the lines of an error.
  minifyWhitespace: true,
  // Rollup would move the first line behind the imports.
  treeshake: false,
  banner: { js: program.banner },
};

const built = (names: readonly string[], splitting: boolean): Options => ({
  ...shared,
  entry: sourceOf(names),
  splitting,
});

export default defineConfig([
  // The declarations of all entries share files: nobody runs them.
  { ...built(connected, true), dts: declarationsOf([...connected, ...standalone]) },
  ...standalone.map((name) => built([name], false)),
  commandLine,
]);
