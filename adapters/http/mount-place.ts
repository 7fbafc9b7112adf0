import { servedPaths } from "#core/http/mount-paths.ts";
import type { Serve } from "#core/http/wire.ts";

/**
 * Says what is wrong where the host has mounted `serve` below a path under which it
 * answers nothing. Gives null where that is right or not known, as below a path
 * with parameters.
 */
export function misplaced(serve: Serve, mountPath: string): string | null {
  const place = mountPath.replace(/\/+$/, "").toLowerCase();
  const paths = servedPaths(serve);
  if (place === "" || /[:*]/.test(place) || paths.length === 0) return null;

  const meets = (path: string): boolean =>
    `${path}/`.startsWith(`${place}/`) || `${place}/`.startsWith(`${path}/`);
  if (paths.some((path) => meets(path.toLowerCase()))) return null;
  return (
    `it is mounted below "${mountPath}" and answers only below "${paths.join('" and "')}". ` +
    "Both are full public paths: mount it there, or change its own (basePath, notificationsPath, " +
    "endpoint, a page's baseUrl, the dashboard's path)."
  );
}
