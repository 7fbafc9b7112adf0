import { fail } from "../contract/errors.ts";
import type { Operation } from "../contract/paths.ts";
import { splitTarget } from "./wire.ts";

/** The part of a request's target that belongs to the API. */
export interface ApiTarget {
  /** The path below the base path, still percent-encoded. */
  readonly path: string;
  /** The text after `?`, still encoded. */
  readonly query: string;
}

export interface RouteMatch {
  readonly operation: Operation;
  /** The path parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Cuts the base path off a target. Gives null when the path is not below it. */
export function parseTarget(basePath: string, target: string): ApiTarget | null {
  const { path: fullPath, query } = splitTarget(target);
  if (!fullPath.startsWith(basePath)) return null;

  const path = fullPath.slice(basePath.length);
  return path === "" || path.startsWith("/") ? { path, query } : null;
}

interface PathTemplate {
  readonly segments: readonly string[];
  readonly methods: Map<string, Operation>;
}

interface FoundPath {
  readonly template: PathTemplate;
  readonly params: Record<string, string>;
}

/**
 * Compiles the path table once. The router throws `route_not_found` or
 * `method_not_allowed`.
 */
export function compileRouter(
  paths: Readonly<Record<Operation, string>>,
): (method: string, path: string) => RouteMatch {
  const find = compilePaths(paths);

  return (method, path) => {
    const found = find(path);
    if (!found) return fail("route_not_found");

    const { methods } = found.template;
    const operation = methods.get(method === "HEAD" ? "GET" : method);
    if (!operation) return fail("method_not_allowed", { allow: allowedMethods(methods) });
    return { operation, params: found.params };
  };
}

/**
 * Compiles paths. Those without parameters are found by one look-up, the others are
 * tried in their order.
 */
function compilePaths(
  paths: Readonly<Record<Operation, string>>,
): (path: string) => FoundPath | null {
  const fixed = new Map<string, PathTemplate>();
  const open = new Map<string, PathTemplate>();
  for (const [operation, row] of Object.entries(paths) as [Operation, string][]) {
    const [method = "", path = ""] = row.split(" ");
    const templates = path.includes("{") ? open : fixed;
    const template = templates.get(path) ?? { segments: path.split("/"), methods: new Map() };
    template.methods.set(method, operation);
    templates.set(path, template);
  }

  return (path) => {
    const template = fixed.get(path);
    if (template) return { template, params: {} };

    const segments = path.split("/");
    for (const candidate of open.values()) {
      const params = matchSegments(candidate.segments, segments);
      if (params) return { template: candidate, params };
    }
    return null;
  };
}

function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (template.length !== segments.length) return null;

  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith("{")) {
      if (segment === "") return null;
      params[part.slice(1, -1)] = segment;
    } else if (part !== segment) return null;
  }
  return params;
}

const allowedMethods = (methods: ReadonlyMap<string, Operation>): string =>
  [...methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");
