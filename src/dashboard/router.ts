/** A path below the dashboard names one of these places. */
export type Place =
  | { readonly kind: "asset"; readonly name: string }
  /** A link to sign in by. */
  | { readonly kind: "link"; readonly token: string }
  /** The page to sign in at by a passkey. */
  | { readonly kind: "sign_in" }
  | { readonly kind: "global"; readonly segments: readonly string[] }
  | {
      readonly kind: "store";
      readonly store_id: string;
      readonly livemode: boolean;
      readonly segments: readonly string[];
    };

/** Reads a path. Gives null for one that is not below `base`, where the host goes on. */
export function placeOf(path: string, base: string): Place | "unreadable" | null {
  if (path !== base && !path.startsWith(`${base}/`)) return null;

  const segments = readSegments(path.slice(base.length + 1).replace(/\/$/, ""));
  if (segments === null) return "unreadable";

  const [first = "", second = "", ...rest] = segments;
  if (first === "assets") return { kind: "asset", name: rest.length === 0 ? second : "" };
  if (first === "link") return { kind: "link", token: rest.length === 0 ? second : "" };
  if (first === "sign-in" && segments.length === 1) return { kind: "sign_in" };
  if ((second === "live" || second === "test") && first !== "")
    return { kind: "store", store_id: first, livemode: second === "live", segments: rest };
  return { kind: "global", segments };
}

function readSegments(path: string): readonly string[] | null {
  if (path === "") return [];
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

interface Matched<S> {
  readonly screen: S;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the screen of a path; a screen without braces in its path comes first. */
export function matchScreen<S extends { readonly path: string }>(
  screens: readonly S[],
  segments: readonly string[],
): Matched<S> | null {
  const plain = screens.find(({ path }) => path === segments.join("/"));
  // A segment that holds a slash is no part of a plain path.
  if (plain && !segments.some((segment) => segment.includes("/")))
    return { screen: plain, params: {} };

  for (const screen of screens) {
    const params = paramsOf(screen.path, segments);
    if (params) return { screen, params };
  }
  return null;
}

function paramsOf(
  path: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  const pattern = path === "" ? [] : path.split("/");
  if (pattern.length !== segments.length) return null;

  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    const [, name] = /^\{([a-z_]+)\}$/.exec(part) ?? [];
    if (name === undefined && part !== segment) return null;
    if (name !== undefined) {
      if (segment === "") return null;
      params[name] = segment;
    }
  }
  return params;
}
