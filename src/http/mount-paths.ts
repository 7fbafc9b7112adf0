import type { Serve } from "./wire.ts";

// The symbol is of the whole process, because a host may have two copies of the package.
const noted = Symbol.for("vitrine.paths");

/** Notes at and below which paths `serve` answers, for adapters that look where it is mounted. */
export const servedAt = (paths: readonly string[], serve: Serve): Serve =>
  Object.assign(serve, { [noted]: paths });

/** Gives the paths that were noted. It is empty for a function of the host's own. */
export const servedPaths = (serve: Serve): readonly string[] => Reflect.get(serve, noted) ?? [];
