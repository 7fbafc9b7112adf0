import type { SourceFile } from "./source-files.ts";

/**
 * Finds the groups of files that import each other, types included, by Tarjan's algorithm for
 * strongly connected components.
 */
export function circlesAmong(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    lowest.set(path, own);
    open.push(path);

    for (const next of byPath.get(path)?.importedFiles ?? []) {
      if (!byPath.has(next)) continue;
      const reached = order.has(next) ? reachedAgain(next) : visit(next);
      lowest.set(path, Math.min(lowest.get(path) ?? own, reached));
    }

    if (lowest.get(path) === own) closeCircle(path);
    return lowest.get(path) ?? own;
  };

  /** A file whose circle is closed is below this one and joins no circle with it. */
  const reachedAgain = (path: string): number =>
    open.includes(path) ? (order.get(path) ?? 0) : Number.POSITIVE_INFINITY;

  const closeCircle = (path: string): void => {
    const circle = open.splice(open.indexOf(path));
    if (circle.length > 1) circles.push(circle.sort());
  };

  for (const { path } of files) if (!order.has(path)) visit(path);
  return circles;
}
