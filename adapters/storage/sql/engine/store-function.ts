import { type Compilable, type RawBuilder, sql } from "kysely";
import type { Db } from "./engine.ts";
import type { Param } from "./queries.ts";

/**
 * Describes a function in PL/pgSQL. Citus runs it on the node that holds the store.
 * All statements of the function cost one round trip, and the node keeps their
 * plans. A statement outside of a function comes to the node as text, so the node must
 * parse and plan it each time. Each statement of the function must name one table and the store;
 * otherwise the node plans it at each run.
 */
export interface StoreFunction {
  readonly name: string;
  /** The first one is `given_store`, the id of the store. */
  readonly parameters: readonly string[];
  /** The type, and `stable` behind it for a function that reads and sees one moment. */
  readonly returns: string;
  /** The text from `declare` or `begin` to its `end`. `{name}` is a table. */
  readonly body: (db: Db) => string;
}

/** Names columns of a variable as the values of a query; the store is the given one. */
export const valuesOf =
  (variable: string): Param =>
  <T>(name: string) =>
    sql.raw(name === "store_id" ? "given_store" : `${variable}.${name}`) as RawBuilder<T>;

/** Writes a query as text without parameters. */
export function textOf(query: Compilable): string {
  const { sql: text, parameters } = query.compile();
  return text.replace(/\$(\d+)/g, (_match, at: string) => literal(parameters[Number(at) - 1]));
}

function literal(value: unknown): string {
  if (value === null || typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError("A constant of a function is a number, a text or null.");
}
