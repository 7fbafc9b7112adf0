/** Below the base path, a monitor asks these. They are routes too, which need no key. */
export const healthPath = "/healthz";
export const readyPath = "/readyz";
export const metricsPath = "/metrics";

const probePaths: ReadonlySet<string> = new Set([healthPath, readyPath, metricsPath]);

/** Gives the path where a monitor asks it, else null. */
export const probeOf = (method: string, path: string): string | null =>
  (method === "GET" || method === "HEAD") && probePaths.has(path) ? path : null;
