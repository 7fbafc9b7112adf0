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
  await Promise.all(children.map((child) => once(child, "message")));
  return children.map(workerOf);
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
