interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * Gives a module of Node's own, of which the caller uses the parts in `Module`, and undefined on
 * other runtimes. The module is not imported, so that those can load the file that asks for it.
 */
export const nodeModule = <Module>(name: string): Module | undefined =>
  (globalThis as { process?: ProcessLike }).process?.getBuiltinModule?.(name) as Module | undefined;
