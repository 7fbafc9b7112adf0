import pg from "pg";
import { type PostgresServer, startServer } from "../test/support/postgres-server.ts";
import { backendsOf, cpuNanoseconds } from "./citus/cpu.ts";

/** With these settings every commit waits for the disk, on every side. */
const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
export const durability =
  "`fsync=on`, `synchronous_commit=on`, `full_page_writes=on`, `shared_buffers=128MB`";

let running: Promise<PostgresServer> | undefined;
let serial = 0;
const server = (): Promise<PostgresServer> => {
  running ??= startServer(durable);
  return running;
};

/** Makes an empty database in the PostgreSQL that all parts of a run share. */
export async function newDatabase(): Promise<string> {
  const { url } = await server();
  const name = `bench_${++serial}`;
  await query(url, `create database ${name}`);
  return url.replace(/\/postgres$/, `/${name}`);
}

/** Does what autovacuum would do some minutes after the filling. */
export const settle = (url: string): Promise<void> => query(url, "vacuum analyze");

export async function dropDatabase(url: string): Promise<void> {
  const { url: main } = await server();
  await query(main, `drop database "${url.slice(url.lastIndexOf("/") + 1)}" with (force)`);
}

export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

export async function stopPostgres(): Promise<void> {
  await (await running)?.stop();
  running = undefined;
}

/** A server of PostgreSQL for one side alone. */
export interface DatabaseServer {
  readonly url: string;
  /** Gives what all its processes used since its start. The log is in bytes. */
  usage(): Promise<{ readonly cpu_ms: number; readonly log: number }>;
  stop(): Promise<void>;
}

/** Starts a server that does not wait for the disk, because what is measured is processor time. */
export async function startDatabase(): Promise<DatabaseServer> {
  const own = await startServer();
  const client = new pg.Client(own.url);
  await client.connect();
  const pid = "cast(split_part(pg_read_file('postmaster.pid'), chr(10), 1) as integer)";
  const { rows } = await client.query(`select ${pid} as pid`);
  // A process that has ended stays in the sum.
  const processes = new Set<number>([rows[0].pid]);

  return {
    url: own.url,
    async usage() {
      const read = await client.query("select pg_current_wal_lsn() - '0/0' as log");
      for (const pid of backendsOf([rows[0].pid])) processes.add(pid);
      return { cpu_ms: cpuNanoseconds([...processes]) / 1e6, log: Number(read.rows[0].log) };
    },
    async stop() {
      await client.end();
      await own.stop();
    },
  };
}
