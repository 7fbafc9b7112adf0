import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleOf } from "../test/support/bundle.ts";
import type { Ready, Usage, Wish } from "./servers/shared.ts";

export interface Served extends Ready {
  /** Gives the processor time of the server's process since its start. */
  usage(): Promise<Usage>;
  /** Begins a profile. The returned function ends it and gives each function's share in percent. */
  profile(): Promise<() => Promise<Record<string, number>>>;
  stop(): Promise<void>;
}

/**
 * Starts a server in a process of its own, filled and listening, with these settings. It is
 * bundled, as a host deploys it: a loader in the process would be measured too.
 */
export async function startServer(file: string, settings: object = {}): Promise<Served> {
  const bundle = await bundleOf(`bench/servers/${file}`);
  const child: ChildProcess = fork(bundle, [JSON.stringify(settings)], {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ended = once(child, "exit").then(([code]): never => {
    throw new Error(`bench/servers/${file} ended with ${code}.`);
  });
  // Nobody may be waiting when the process ends, and an unhandled rejection would end the bench.
  ended.catch(() => {});

  const [ready] = (await Promise.race([once(child, "message"), ended])) as [Ready];
  const ask = async <T>(wish: Wish): Promise<T> => {
    const answer = once(child, "message");
    child.send(wish);
    const [given] = await Promise.race([answer, ended]);
    return given as T;
  };
  return {
    ...ready,
    usage: () => ask("usage"),
    async profile() {
      await ask("startProfile");
      return () => ask("stopProfile");
    },
    async stop() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}

/** Runs with servers and ends the started ones, also after an error. */
export async function withServers<T>(
  starts: Readonly<Record<string, () => Promise<Served>>>,
  run: (servers: Readonly<Record<string, Served>>) => Promise<T>,
): Promise<T> {
  const servers: Record<string, Served> = {};
  try {
    for (const [name, start] of Object.entries(starts)) servers[name] = await start();
    return await run(servers);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}
