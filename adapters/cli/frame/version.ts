import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const { resolve: find } = createRequire(import.meta.url);
const manifest = find("vitrine/package.json");

/** The version of this package, which finds its own package.json by its name. */
export const { version } = JSON.parse(readFileSync(manifest, "utf8")) as {
  readonly version: string;
};

interface Installed {
  readonly resolved?: string;
}

/**
 * Gives what another project's package.json must say to get this very package: the version, or the
 * file or repository that npm took it from, as npm's own list beside the package tells.
 */
export function packageRange(): string {
  const modules = join(dirname(manifest), "..");
  const { resolved } = installedFrom(join(modules, ".package-lock.json"));
  if (resolved?.startsWith("file:")) return `file:${resolve(modules, "..", resolved.slice(5))}`;
  if (resolved?.startsWith("git")) return resolved;
  return `^${version}`;
}

function installedFrom(list: string): Installed {
  try {
    const { packages } = JSON.parse(readFileSync(list, "utf8")) as {
      readonly packages?: Readonly<Record<string, Installed>>;
    };
    return packages?.["node_modules/vitrine"] ?? {};
  } catch {
    return {}; // Other package managers keep no such list.
  }
}
