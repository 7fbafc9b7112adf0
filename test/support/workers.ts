import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { forkable } from "./bundle.ts";

export interface Worker {
  // biome-ignore lint/suspicious/noExplicitAny: JSON that a child process sends
  do(task: object): Promise<any>;
  stop(): Promise<void>;
}

/** Starts processes that each have a storefront on the same database. */
export async function startWorkers(
  count: number,
  ...args: readonly string[]
): Promise<readonly Worker[]> {
  const start = await forkable("test/processes/worker.ts");
  const children = Array.from({ length: count }, () => start(args));
  await Promise.all(children.map(untilReady));
  return children.map(workerOf);
}

/** A worker that ends before it is ready has printed why. */
async function untilReady(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`A worker ended with ${code} at its start.`);
  });
  ended.catch(() => {}); // nobody waits for it any more when the worker stops later
  await Promise.race([once(child, "message"), ended]);
}

const workerOf = (child: ChildProcess): Worker => ({
  async do(task) {
    const answered = once(child, "message");
    child.send(task);
    const [message] = await answered;
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  },
  async stop() {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  },
});
