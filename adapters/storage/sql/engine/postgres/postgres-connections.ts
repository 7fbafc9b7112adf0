import { postgres } from "../../schema/dialect.postgres.ts";
import type { MeasuredClock } from "../clock.ts";
import { isQueryAborted, isTransient } from "../failures.ts";
import type { PlacementCheck } from "./placement.ts";
import { acquire, type PgClient, type PgPool, release, types } from "./postgres-client.ts";

interface ConnectionOptions {
  /** The call waits this many milliseconds for a connection before it is 503. */
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
  atReadCommitted<T>(work: (client: PgClient) => Promise<T>): Promise<T>;
  inTransaction<T>(work: (client: PgClient) => Promise<T>): Promise<T>;
  /** Runs statements each of which is its own transaction. */
  outsideTransaction<T>(work: (client: PgClient) => Promise<T>): Promise<T>;
}

export function poolConnections(
  pool: PgPool,
  { acquireTimeoutMs, clock, placement }: ConnectionOptions,
): Connections {
  /**
   * The rollback of these clients failed, so they may still be in a transaction:
   * the pool must close them.
   */
  const maybeInTransaction = new WeakSet<PgClient>();
  /**
   * Says whether a statement on this client is READ COMMITTED by default: each
   * client is asked once.
   */
  const isReadCommitted = new WeakMap<PgClient, boolean>();

  const withClient = async <T>(work: (client: PgClient) => Promise<T>): Promise<T> => {
    const client = await acquire(pool, acquireTimeoutMs);
    let broken = false;
    try {
      await clock.refresh(() => databaseNow(client));
      await placement.check(client);
      return await work(client);
    } catch (error) {
      broken = isTransient(error) || isQueryAborted(error) || maybeInTransaction.has(client);
      await placement.checkAfter(error, client);
      throw error;
    } finally {
      release(client, broken);
    }
  };

  const inReadCommitted = async <T>(client: PgClient, work: () => Promise<T>): Promise<T> => {
    await client.query({ text: "begin isolation level read committed" });
    try {
      const value = await work();
      await client.query({ text: "commit" });
      return value;
    } catch (error) {
      // The rollback of a lost connection fails: the server has rolled back by itself.
      await client.query({ text: "rollback" }).catch(() => {
        maybeInTransaction.add(client);
      });
      throw error;
    }
  };

  return {
    inTransaction: (work) => withClient((client) => inReadCommitted(client, () => work(client))),

    outsideTransaction: withClient,

    atReadCommitted: (work) =>
      withClient(async (client) => {
        let byDefault = isReadCommitted.get(client);
        if (byDefault === undefined) {
          byDefault = (await defaultIsolation(client)) === "read committed";
          isReadCommitted.set(client, byDefault);
        }
        return byDefault ? work(client) : inReadCommitted(client, () => work(client));
      }),
  };
}

async function databaseNow(client: PgClient): Promise<number> {
  const { rows } = await client.query({ text: `select ${postgres.nowMs} as now`, types });
  const [row] = rows as readonly { readonly now: number }[];
  return row?.now ?? Number.NaN;
}

async function defaultIsolation(client: PgClient): Promise<string | undefined> {
  const text = "select current_setting('default_transaction_isolation') as level";
  const { rows } = await client.query({ text, types });
  const [row] = rows as readonly { readonly level: string }[];
  return row?.level;
}
