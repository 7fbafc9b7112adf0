import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { SqliteDatabase } from "../../adapters/storage/sql/engine/sqlite/sqlite-database.ts";

// Tests of plans explain the statements that a storage really sends. These record them.

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Makes a pool that records the statements which its connections send. Each is sent after
 * `latencyMs`, as over a slow network.
 */
export const recordingPool = (pool: pg.Pool, statements: Statement[], latencyMs = 0) => {
  // The storage knows a connection again by its object, and asks once for its isolation.
  const known = new WeakMap<pg.PoolClient, pg.PoolClient>();

  const recordingClient = (client: pg.PoolClient): pg.PoolClient =>
    withMethod(client, "query", async (sent: pg.QueryConfig) => {
      statements.push({ text: sent.text, values: [...(sent.values ?? [])] });
      if (latencyMs > 0) await delay(latencyMs);
      return client.query(sent);
    });

  return {
    connect: (callback: (error: Error | undefined, client: pg.PoolClient | undefined) => void) =>
      pool.connect((error, client) => {
        if (!client) return callback(error, undefined);

        const recorded = known.get(client) ?? recordingClient(client);
        known.set(client, recorded);
        callback(undefined, recorded);
      }),
  };
};

/** Makes a database that records the statements which are prepared on it. */
export const recordingDatabase = (
  database: SqliteDatabase,
  statements: Set<string>,
): SqliteDatabase =>
  withMethod(database, "prepare", (text: string) => {
    statements.add(text);
    return database.prepare(text);
  });

/** Makes a database that records each execution of a statement, in their order. */
export const executingDatabase = (database: SqliteDatabase, texts: string[]): SqliteDatabase =>
  withMethod(database, "prepare", (text: string) => {
    const statement = database.prepare(text);
    return (["all", "get", "run"] as const).reduce((recorded, name) => {
      const execute = (...parameters: unknown[]) => {
        texts.push(text);
        return statement[name](...parameters);
      };
      return withMethod(recorded, name, execute);
    }, statement);
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
