import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Lists the files that run on every storage. The storage port has a file of its own for Citus. */
export function suites(): string[] {
  const folders = readdirSync(join(root, "test"), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !["conformance", "node_modules"].includes(entry.name),
  );
  return folders
    .flatMap(({ name }) =>
      readdirSync(join(root, "test", name)).map((file) => `test/${name}/${file}`),
    )
    .filter((file) => file.endsWith(".test.ts") && runsOnEveryStorage(file));
}

const runsOnEveryStorage = (file: string): boolean =>
  readFileSync(join(root, file), "utf8").includes(
    'import { storages } from "../support/storages.ts"',
  );
