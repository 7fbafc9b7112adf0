type Jose = typeof import("jose");
let loaded: Promise<Jose> | undefined;

/**
 * Loads jose for the first buyer token: importing it at start-up took a third of a
 * cold start.
 */
export function loadJose(): Promise<Jose> {
  loaded ??= import("jose");
  return loaded;
}
