// Writes the two lists that tools read without running code: `paths` in tsconfig.json and the
// entries of knip in package.json. `npm run docs` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { program, subpaths } from "./subpaths.mjs";

const root = resolve(import.meta.dirname, "../..");
const tsconfigFile = resolve(root, "tsconfig.json");
const manifestFile = resolve(root, "package.json");

const lines = subpaths.map(({ name, source }) => `      "${name}": ["./${source}"]`);
const paths = `"paths": {\n${lines.join(",\n")}\n    }`;
const tsconfig = readFileSync(tsconfigFile, "utf8");
writeFileSync(tsconfigFile, tsconfig.replace(/"paths": \{[^}]*\}/, paths));

const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
const others = manifest.knip.entry.filter((entry) => !/^(src|adapters)\//.test(entry));
manifest.knip.entry = [...[...subpaths, program].map(({ source }) => source), ...others];
writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
