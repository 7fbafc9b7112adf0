import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";

export interface NatsServer {
  readonly port: number;
  /** Kills the server at once and starts it again on the same data and port. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real `nats-server` with JetStream, whose data outlive a crash. */
export async function startNats(): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-nats-"));
  const port = await freePort();
  let child = await start(port, folder);

  const kill = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };

  return {
    port,
    async crash() {
      await kill();
      child = await start(port, folder);
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(port: number, folder: string): Promise<ChildProcess> {
  const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder];
  const child = spawn("nats-server", args, { stdio: "ignore" });
  let failure: unknown = null;
  child.once("error", (error) => {
    failure = error;
  });

  for (let time = 0; time < 200; time++) {
    if (failure) throw new Error("nats-server does not start: install it.", { cause: failure });
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}.`);
    if (await accepts(port)) return child;
    await pause(50);
  }
  throw new Error("nats-server did not accept a connection within 10 s.");
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
