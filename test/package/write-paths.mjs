// Writes `paths` in tsconfig.json from the subpaths of package.json: `npm run paths`.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { subpaths } from "./subpaths.mjs";

const file = resolve(import.meta.dirname, "../../tsconfig.json");
const lines = subpaths.map(({ name, source }) => `      "${name}": ["./${source}"]`);
const paths = `"paths": {\n${lines.join(",\n")}\n    }`;

const before = readFileSync(file, "utf8");
writeFileSync(file, before.replace(/"paths": \{[^}]*\}/, paths));
