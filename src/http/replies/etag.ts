import type { Route } from "../../contract/route.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import type { OperationResult } from "../../operations/operation.ts";
import { DOCUMENT_VERSION } from "../../rules/catalog/render.ts";
import type { HttpContext } from "../context.ts";
import { accessOf, type RequestState } from "../request-state.ts";
import type { WireRequest } from "../wire.ts";

/**
 * Names everything that shapes a catalog answer. It is known before any query, and
 * its hash is the ETag.
 */
export function catalogName(ctx: HttpContext, state: RequestState, route: Route): string {
  const { store, key } = accessOf(state);
  const { values } = state.query;
  let query = "";
  for (const name of queryNames(route))
    if (name in values) query += `&${name}=${encodeURIComponent(values[name] ?? "")}`;

  const mode = key.livemode ? "live" : "test";
  const versions = `${store.catalog_version}\n${ctx.configVersion}\n${DOCUMENT_VERSION}`;
  return `${store.id}\n${mode}\n${versions}\n${state.target.path}\n${query}`;
}

const sortedNames = new WeakMap<Route, readonly string[]>();

function queryNames(route: Route): readonly string[] {
  let names = sortedNames.get(route);
  if (!names) {
    names = Object.keys(route.query?.shape ?? {}).sort();
    sortedNames.set(route, names);
  }
  return names;
}

/**
 * Makes the ETag of any other answer: a hash of its data and page fields, without
 * the request id.
 */
export function dataTag(state: RequestState, { data, page }: OperationResult): Promise<string> {
  const { store, key } = accessOf(state);
  const { has_more, next_cursor, ...found } = page ?? {};
  const counted = JSON.stringify(found);
  const paging = `${has_more}\n${next_cursor}${counted === "{}" ? "" : counted}`;
  return tagOf(`${store.id}\n${key.livemode}\n${state.target.path}\n${data}\n${paging}`);
}

const tagLength = 27;

export const tagOf = async (text: string): Promise<string> =>
  `W/"${(await sha256(text, "base64url")).slice(0, tagLength)}"`;

/**
 * Compares the tag with the list of If-None-Match, weakly (RFC 9110 13.1.2). `*`
 * matches only where the resource is known to exist.
 */
export function matchesTag(request: WireRequest, tag: string, exists: boolean): boolean {
  const header = request.header("if-none-match");
  if (header === undefined) return false;

  const text = header.trim();
  if (text === "*") return exists;
  const opaque = tag.slice(2);
  return text.split(",").some((part) => part.trim().replace(/^W\//, "") === opaque);
}
