type Jose = typeof import("jose");
let loaded: Promise<Jose> | undefined;

/** Loaded by the first buyer token: a third of the time that a function's cold start took went into it. */
export function loadJose(): Promise<Jose> {
  loaded ??= import("jose");
  return loaded;
}
