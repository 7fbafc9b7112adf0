import { createHash } from "node:crypto";
import type { CompiledQuery } from "kysely";
import { isStalePlan } from "../failures.ts";
import type { QueryGenerator, TextRow, TextRowQuery, TextRows } from "../queries.ts";
import { type PgQuery, type PgQueryable, types } from "./postgres-client.ts";

/**
 * A connection keeps each named statement for good, and lists of values make one
 * statement for each length. Statements beyond this number are sent unnamed.
 */
const maxNamedStatements = 1_000;

export interface PostgresStatements {
  run<T>(client: PgQueryable, work: QueryGenerator<T>): Promise<T>;
  readTextRows(client: PgQueryable, query: TextRowQuery): Promise<TextRows>;
}

/**
 * Sends compiled queries on a client, as named statements where the host wants
 * prepared ones.
 */
export function postgresStatements(preparedStatements: boolean): PostgresStatements {
  const names = new Map<string, string>();
  let generation = 0;

  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maxNamedStatements) return known;

    // The name is a hash of the text: another instance may use the same connections.
    const hash = createHash("sha256").update(sql).digest("base64url").slice(0, 32);
    const name = `vitrine_${hash}_${generation}`;
    names.set(sql, name);
    return name;
  };

  const toPgQuery = ({ sql, parameters }: CompiledQuery): PgQuery => {
    const values = parameters as unknown[]; // The package pg does not change them.
    const name = preparedStatements ? nameOf(sql) : undefined;
    return name === undefined ? { text: sql, values, types } : { name, text: sql, values, types };
  };

  /** After a stale plan, new names make every connection prepare its statements anew. */
  const renameIfStale = (error: unknown): void => {
    if (!isStalePlan(error)) return;
    generation += 1;
    names.clear();
  };

  return {
    async run(client, work) {
      let turn = work.next([]);
      try {
        while (!turn.done) {
          const { rows, rowCount } = await client.query(toPgQuery(turn.value));
          turn = work.next(rows.length === 0 && rowCount ? [{ changes: rowCount }] : rows);
        }
      } catch (error) {
        renameIfStale(error);
        throw error;
      }
      return turn.value;
    },

    async readTextRows(client, query) {
      try {
        const { rows } = await client.query(toPgQuery(query));
        return (rows as readonly TextRow[]).map((row) => row.text_row);
      } catch (error) {
        renameIfStale(error);
        throw error;
      }
    },
  };
}
