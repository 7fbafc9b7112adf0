import { fail } from "../contract/errors.ts";
import type { Operation } from "../contract/paths.ts";

export interface Target {
  /** Below the base path, still percent-encoded. */
  readonly path: string;
  /** After `?`, still encoded. */
  readonly query: string;
}

export interface Match {
  readonly operation: Operation;
  /** Path parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** The part of the target that is ours, or null. */
export function locate(basePath: string, target: string): Target | null {
  const absolute = target.startsWith("/") ? target : afterHost(target);
  const mark = absolute.indexOf("?");
  const full = mark < 0 ? absolute : absolute.slice(0, mark);
  if (!full.startsWith(basePath)) return null;
  const path = full.slice(basePath.length);
  if (path !== "" && !path.startsWith("/")) return null;
  return { path, query: mark < 0 ? "" : absolute.slice(mark + 1) };
}

/** The absolute form `http://host/path` that a client may send to a proxy (RFC 9112 3.2.2). */
function afterHost(target: string): string {
  const scheme = target.indexOf("://");
  const slash = scheme < 0 ? -1 : target.indexOf("/", scheme + 3);
  return slash < 0 ? "/" : target.slice(slash);
}

interface Pattern {
  readonly segments: readonly string[];
  readonly methods: Map<string, Operation>;
}

/** Compiles the path table once; the returned function answers 404 and 405 by throwing. */
export function compileRouter(
  paths: Readonly<Record<Operation, string>>,
): (method: string, path: string) => Match {
  const fixed = new Map<string, Pattern>();
  const open: Pattern[] = [];
  for (const [operation, row] of Object.entries(paths) as [Operation, string][]) {
    const [method = "", template = ""] = row.split(" ");
    const segments = template.split("/");
    const known = template.includes("{")
      ? open.find((pattern) => pattern.segments.join("/") === template)
      : fixed.get(template);
    const pattern = known ?? { segments, methods: new Map() };
    pattern.methods.set(method, operation);
    if (known) continue;
    if (template.includes("{")) open.push(pattern);
    else fixed.set(template, pattern);
  }

  const find = (path: string): { pattern: Pattern; params: Record<string, string> } | null => {
    const exact = fixed.get(path);
    if (exact) return { pattern: exact, params: {} };
    const segments = path.split("/");
    for (const pattern of open) {
      const params = matchSegments(pattern.segments, segments);
      if (params) return { pattern, params };
    }
    return null;
  };

  return (method, path) => {
    const found = find(path);
    if (!found) return fail("route_not_found");
    const operation = found.pattern.methods.get(method === "HEAD" ? "GET" : method);
    if (!operation) return fail("method_not_allowed", { allow: allowed(found.pattern) });
    return { operation, params: found.params };
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

const allowed = (pattern: Pattern): string =>
  [...pattern.methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");
