import { createRequire } from "node:module";

/** The version of this package, which finds its own package.json by its name. */
export const { version } = createRequire(import.meta.url)("vitrine/package.json") as {
  readonly version: string;
};
