import { postgres } from "../../schema/dialect.postgres.ts";
import type { MeasuredClock } from "../clock.ts";
import { isQueryAborted, isTransient } from "../failures.ts";
import type { Deadline } from "./deadline.ts";
import type { PlacementCheck } from "./placement.ts";
import {
  acquire,
  type PgClient,
  type PgPool,
  type PgQueryable,
  release,
  types,
} from "./postgres-client.ts";

interface ConnectionOptions {
  /** Milliseconds that the call waits for a connection before it is 503. */
  readonly acquireTimeoutMs: number;
  readonly clock: MeasuredClock;
  /** Rejects, before the work and after some of its errors, when the tables do not fit the work. */
  readonly placement: PlacementCheck;
}

interface Connections {
  /**
   * Runs statements that need no transaction around them. Each sees what was
   * committed before it, whatever isolation level the host's connections begin
   * with.
   */
  atReadCommitted<T>(deadline: Deadline, work: Work<T>): Promise<T>;
  inTransaction<T>(deadline: Deadline, work: Work<T>): Promise<T>;
  /** Runs statements each of which is its own transaction. */
  outsideTransaction<T>(deadline: Deadline, work: Work<T>): Promise<T>;
}

type Work<T> = (client: PgQueryable) => Promise<T>;

export function poolConnections(
  pool: PgPool,
  { acquireTimeoutMs, clock, placement }: ConnectionOptions,
): Connections {
  /**
   * The rollback of these clients failed, so they may still be in a transaction:
   * the pool must close them.
   */
  const maybeInTransaction = new WeakSet<PgQueryable>();
  /**
   * Says whether a statement on this client is READ COMMITTED by default: each
   * client is asked once.
   */
  const isReadCommitted = new WeakMap<PgClient, boolean>();

  const withClient = async <T>(
    deadline: Deadline,
    work: (client: PgQueryable, pooled: PgClient) => Promise<T>,
  ): Promise<T> => {
    const pooled = await acquire(pool, Math.min(acquireTimeoutMs, deadline.leftMs()));
    const client = deadline.limit(pooled);
    let broken = false;
    try {
      await clock.refresh(() => databaseNow(client));
      await placement.check(client);
      return await work(client, pooled);
    } catch (error) {
      broken = isTransient(error) || isQueryAborted(error) || maybeInTransaction.has(client);
      await placement.checkAfter(error, client);
      throw error;
    } finally {
      release(pooled, broken);
    }
  };

  const inReadCommitted = async <T>(client: PgQueryable, work: () => Promise<T>): Promise<T> => {
    await client.query({ text: "begin isolation level read committed" });
    try {
      const value = await work();
      await client.query({ text: "commit" });
      return value;
    } catch (error) {
      // A rollback would wait behind the query that still runs. Closing the connection ends both.
      if (isQueryAborted(error)) throw error;
      // The rollback of a lost connection fails: the server has rolled back by itself.
      await client.query({ text: "rollback" }).catch(() => {
        maybeInTransaction.add(client);
      });
      throw error;
    }
  };

  return {
    inTransaction: (deadline, work) =>
      withClient(deadline, (client) => inReadCommitted(client, () => work(client))),

    outsideTransaction: withClient,

    atReadCommitted: (deadline, work) =>
      withClient(deadline, async (client, pooled) => {
        let byDefault = isReadCommitted.get(pooled);
        if (byDefault === undefined) {
          byDefault = (await defaultIsolation(client)) === "read committed";
          isReadCommitted.set(pooled, byDefault);
        }
        return byDefault ? work(client) : inReadCommitted(client, () => work(client));
      }),
  };
}

async function databaseNow(client: PgQueryable): Promise<number> {
  const { rows } = await client.query({ text: `select ${postgres.nowMs} as now`, types });
  const [row] = rows as readonly { readonly now: number }[];
  return row?.now ?? Number.NaN;
}

async function defaultIsolation(client: PgQueryable): Promise<string | undefined> {
  const text = "select current_setting('default_transaction_isolation') as level";
  const { rows } = await client.query({ text, types });
  const [row] = rows as readonly { readonly level: string }[];
  return row?.level;
}
