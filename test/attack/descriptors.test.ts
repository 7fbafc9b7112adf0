import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleOf } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { type Random, rounds, startSeed } from "./seed.ts";

const descriptors = 256;
const endpoints = 20;
const turns = Math.ceil(rounds / 3);

interface Shop {
  readonly child: ChildProcess;
  // biome-ignore lint/suspicious/noExplicitAny: JSON that the process sends
  ask(task: object): Promise<any>;
}

/** Starts the shop in a process that may have no more descriptors than the limit. */
async function startShop(hooks: readonly string[]): Promise<Shop> {
  const bundle = await bundleOf("test/attack/descriptors-worker.ts");
  const database = join(freshFolder(), "shop.db");
  const command = `ulimit -n ${descriptors} && exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, bundle, database, hooks.join()];
  const child = spawn("bash", args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onTestFinished(() => void child.kill());
  await once(child, "message");

  const waiting = new Map<number, (message: { result?: unknown; error?: string }) => void>();
  child.on("message", (message: { id: number; result?: unknown; error?: string }) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  child.once("exit", (code) => {
    for (const answer of waiting.values()) answer({ error: `The shop ended with ${code}.` });
  });

  let asked = 0;
  const ask: Shop["ask"] = (task) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error)),
      );
      child.send({ id, task });
    });
  return { child, ask };
}

/**
 * Takes every delivery after a random time, and notes it. It closes each connection, so that
 * each delivery needs a descriptor.
 */
async function startReceiver(random: Random) {
  const received: string[] = [];
  const server = createServer((req, res) => {
    received.push(`${req.url} ${req.headers["x-service-event-id"]}`);
    req.resume();
    setTimeout(() => res.writeHead(204, { connection: "close" }).end(), random() * 20);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, port: (server.address() as AddressInfo).port };
}

/** Opens more connections than the shop has descriptors, until it has to close some. */
async function takeDescriptors(port: number, random: Random): Promise<readonly Socket[]> {
  let closed = 0;
  const count = descriptors + Math.floor(random() * 200);
  const sockets = Array.from({ length: count }, () =>
    connect(port, "127.0.0.1")
      .on("error", () => {})
      .once("close", () => {
        closed += 1;
      }),
  );
  await expect.poll(() => closed).toBeGreaterThan(10);
  return sockets;
}

test("without a free descriptor the shop goes on, and no receiver is blamed", async () => {
  const random = startSeed("descriptors");
  const { received, port: hookPort } = await startReceiver(random);
  // Half of the receivers are reached by a name, whose look-up needs descriptors too.
  const hooks = Array.from({ length: endpoints }, (_, index) => {
    const host = index % 2 === 0 ? "127.0.0.1" : "localhost";
    return `http://${host}:${hookPort}/hook/${index}`;
  });
  const { child, ask } = await startShop(hooks);
  const { port, key } = await ask({ act: "open" });

  // The host's own load balancer keeps its connection.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const status = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      get({ host: "127.0.0.1", port, path: `/v1${path}`, agent, headers }, (res) => {
        res.resume().once("end", () => resolve(res.statusCode ?? 0));
      }).once("error", reject);
    });

  let sold = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const references = Array.from({ length: 2 + Math.floor(random() * 3) }, () => `r_${++sold}`);
    const [early = "", ...late] = references;
    expect(await ask({ act: "sell", references: [early] })).toEqual([]);
    expect(await status("/store")).toBe(200);
    const before = (await ask({ act: "seen" })).shortages;

    const sockets = await takeDescriptors(port, random);
    const draining = ask({ act: "drain", concurrency: 8 + Math.floor(random() * 56) });
    await expect.poll(async () => (await ask({ act: "seen" })).shortages).toBeGreaterThan(before);
    expect(await status("/store"), "a request over a connection from before").toBe(200);
    const refused = await ask({ act: "sell", references: late });

    for (const socket of sockets) socket.destroy();
    expect(await ask({ act: "sell", references: refused })).toEqual([]);
    const first = await draining;
    const second = await ask({ act: "drain", concurrency: 64 });
    expect(first.delivered + second.delivered).toBe(references.length * endpoints);
    for (const { rescheduled, exhausted, lease_lost } of [first, second])
      expect([rescheduled, exhausted, lease_lost]).toEqual([0, 0, 0]);
  }

  expect(new Set(received).size).toBe(sold * endpoints);
  expect(received).toHaveLength(sold * endpoints);
  const deliveries = await ask({ act: "deliveries" });
  expect(deliveries).toHaveLength(sold * endpoints);
  expect(new Set(deliveries.map(JSON.stringify))).toEqual(
    new Set([JSON.stringify({ state: "delivered", attempts: 1 })]),
  );
  const { errors } = await ask({ act: "seen" });
  expect(errors.filter((error: string) => !/unavailable|unable to open/.test(error))).toEqual([]);
  expect(child.exitCode).toBeNull();
});
