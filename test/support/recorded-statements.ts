import type pg from "pg";
import type { SqliteDatabase } from "../../adapters/storage/sql/engine/sqlite/sqlite-database.ts";

// Tests of plans explain the statements that a storage really sends. These record them.

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Makes a pool that records the statements which its connections send. */
export const recordingPool = (pool: pg.Pool, statements: Statement[]) => ({
  connect: (callback: (error: Error | undefined, client: pg.PoolClient | undefined) => void) =>
    pool.connect((error, client) => {
      if (!client) return callback(error, undefined);

      const query = (sent: pg.QueryConfig) => {
        statements.push({ text: sent.text, values: [...(sent.values ?? [])] });
        return client.query(sent);
      };
      callback(undefined, withMethod(client, "query", query));
    }),
});

/** Makes a database that records the statements which are prepared on it. */
export const recordingDatabase = (
  database: SqliteDatabase,
  statements: Set<string>,
): SqliteDatabase =>
  withMethod(database, "prepare", (text: string) => {
    statements.add(text);
    return database.prepare(text);
  });

/** Makes an object with this method in place of its own. All else is the object's. */
function withMethod<T extends object>(object: T, name: keyof T, method: unknown): T {
  return new Proxy(object, {
    get(target, key) {
      if (key === name) return method;
      const value = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A step of a plan that PostgreSQL explains as JSON. */
export type PlanNode = Readonly<Record<string, unknown>>;

/** Lists the steps of a plan: the given one, and all below it. */
export function nodesOf(node: PlanNode): readonly PlanNode[] {
  const inner = Array.isArray(node["Plans"]) ? (node["Plans"] as PlanNode[]) : [];
  return [node, ...inner.flatMap(nodesOf)];
}
