import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../test/support/free-port.ts";

/** One server of a cluster on this machine. */
export interface Node {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
}

/** The programs of a PostgreSQL that has the extension Citus. */
const binaries = process.env["PGBIN"] ?? "/usr/lib/postgresql/15/bin";

/** PostgreSQL refuses to run as root. */
export function run(program: string, ...args: readonly string[]): string {
  const command = [`${binaries}/${program}`, ...args];
  const asOwner =
    process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : command;
  const [first = "", ...rest] = asOwner;
  return execFileSync(first, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 50
wal_level = logical
max_replication_slots = 20
max_wal_senders = 20
shared_preload_libraries = 'citus'
citus.shard_count = 4
citus.node_conninfo = 'sslmode=disable'
archive_mode = on
`;

export const start = ({ folder }: Pick<Node, "folder">): string =>
  run("pg_ctl", "-D", folder, "-l", `${folder}.log`, "-w", "-t", "120", "start");

export const stop = ({ folder }: Pick<Node, "folder">, mode: "fast" | "immediate"): string =>
  run("pg_ctl", "-D", folder, "-m", mode, "-w", "stop");

/** Makes a server whose log is archived beside its data. */
export async function makeNode(base: string, name: string): Promise<Node> {
  const node = { name, port: await freePort(), folder: join(base, name) };
  run("initdb", "-D", node.folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C");
  const log = join(base, `${name}-log`);
  execFileSync("install", ["-d", "-m", "777", log]);
  appendFileSync(
    join(node.folder, "postgresql.conf"),
    `${settings}port = ${node.port}\narchive_command = 'cp %p ${log}/%f'\n`,
  );
  start(node);
  return node;
}

export function makeBase(): string {
  const base = mkdtempSync(join(tmpdir(), "vitrine-citus-"));
  execFileSync("chmod", ["777", base]);
  return base;
}

export const urlOf = ({ port }: Node): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Asks a server, by a connection of its own. */
export async function ask(node: Node, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: urlOf(node) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a server takes connections again. */
export async function ready(node: Node): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      await ask(node, "select 1");
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
}
