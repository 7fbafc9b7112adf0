import { type CompiledQuery, sql } from "kysely";
import type { SqlEngine } from "../../engine/engine.ts";
import { many } from "../../engine/queries.ts";
import type { CitusNode } from "./placements.ts";

/** A statement for one node. */
export interface NodeCommand {
  readonly node: CitusNode;
  readonly text: string;
}

export interface NodeAnswer {
  readonly node: CitusNode;
  /** The first column of the first row, or null when the node failed. */
  readonly result: string | null;
  /** The error of the node or of the connection to it, or null when it answered. */
  readonly error: string | null;
}

/**
 * Sends each node its own statement, all at the same time, outside of any
 * transaction. When one node fails, the others still answer, which a distributed
 * query does not allow.
 */
export async function askNodes(
  { read, db }: SqlEngine,
  commands: readonly NodeCommand[],
): Promise<readonly NodeAnswer[]> {
  if (commands.length === 0) return [];

  const hosts = commands.map(({ node }) => node.host);
  const ports = commands.map(({ node }) => node.port);
  const texts = commands.map(({ text }) => text);
  const ask = sql<{ place: number; has_answered: 0 | 1; result: string }>`
    select a.ordinality as place, cast(a.success as integer) as has_answered, a.result
    from master_run_on_worker(cast(${hosts} as text[]), cast(${ports} as integer[]),
      cast(${texts} as text[]), true) with ordinality as a
    order by a.ordinality`;
  const rows = await read(() => many(ask.compile(db)));

  return commands.map(({ node }, index) => {
    const row = rows[index];
    return row?.has_answered === 1
      ? { node, result: row.result, error: null }
      : { node, result: null, error: row?.result ?? "no answer" };
  });
}

/** Writes the query as a text without parameters, because nodes are asked in plain texts. */
export const withLiterals = ({ sql: text, parameters }: CompiledQuery): string =>
  text.replace(/\$(\d+)/g, (_match, place: string) => literal(parameters[Number(place) - 1]));

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);

  // In this notation a backslash means the same, whatever the settings of the node.
  const text = String(value).replaceAll("\\", "\\\\").replaceAll("'", "''");
  return ` E'${text}'`;
}
