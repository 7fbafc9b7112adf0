import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { forkable } from "../support/bundle.ts";
import { checkOutBefore } from "./version-before.ts";

const worker = "test/versions/worker.ts";

/** The version of a process: the one before, or the one of this checkout. */
export type Age = "old" | "new";
export const ages = ["old", "new"] as const;

/** An error that a process has answered with. */
export class Refused extends Error {
  readonly code: string | null;
  constructor({ code, message }: { readonly code: string | null; readonly message: string }) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A process that has ended before it answered: it may have done what it was told, or not. */
class Lost extends Error {}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string | null; readonly message: string };
}

interface Member {
  readonly child: ChildProcess;
  readonly waiting: Map<number, (answer: Answer | null) => void>;
}

/** Builds both versions once, and gives what starts a process of either. */
export async function buildBoth() {
  const folder = checkOutBefore(worker);
  try {
    const [before, now] = await Promise.all([forkable(worker, folder), forkable(worker)]);
    return { old: before, new: now } as const;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const longestMs = 30_000;
let tasks = 0;

/** Processes of both versions on one database. Calls of a version go to each of its in turn. */
export class Fleet {
  readonly #start: Awaited<ReturnType<typeof buildBoth>>;
  readonly #args: readonly string[];
  readonly #members: Record<Age, Member[]> = { old: [], new: [] };
  #turn = 0;

  constructor(start: Awaited<ReturnType<typeof buildBoth>>, args: readonly string[]) {
    this.#start = start;
    this.#args = args;
  }

  /** Starts a process. It serves once it has called `migrate()`; one that refuses to ends. */
  async start(age: Age): Promise<void> {
    const child = this.#start[age](this.#args);
    const waiting: Member["waiting"] = new Map();
    const member = { child, waiting };
    child.on("message", (answer: Answer) => {
      if (answer.id === undefined) return;
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    child.once("exit", () => {
      this.#members[age] = this.#members[age].filter((other) => other !== member);
      for (const answer of waiting.values()) answer(null);
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`A process of the ${age} version ended with ${code} at its start.`);
    });
    ended.catch(() => {}); // nobody waits for it any more when the process ends later
    await Promise.race([once(child, "message"), ended]);
    this.#members[age].push(member);
  }

  /** Ends the oldest process of a version, as a deployment does that has no patience. */
  async end(age: Age): Promise<void> {
    const [member] = this.#members[age];
    if (!member) throw new Error(`No process of the ${age} version runs.`);
    const ended = once(member.child, "exit");
    member.child.kill("SIGKILL");
    await ended;
  }

  async endAll(): Promise<void> {
    for (const age of ages) while (this.#members[age].length > 0) await this.end(age);
  }

  /** Asks a process of this version once. */
  async #ask(age: Age, task: object): Promise<unknown> {
    const members = this.#members[age];
    const member = members[this.#turn++ % members.length];
    if (!member) throw new Lost(`No process of the ${age} version runs.`);

    const id = ++tasks;
    const answer = await new Promise<Answer | null>((answered) => {
      member.waiting.set(id, answered);
      member.child.send({ ...task, id }, (error) => error && answered(null));
    });
    if (answer === null) throw new Lost(`A process of the ${age} version has ended.`);
    if (answer.error) throw new Refused(answer.error);
    return answer.result;
  }

  /**
   * Asks a process of this version, and another one when that ended or could not answer: every
   * task carries a key or a reference, so that it is done once.
   */
  // biome-ignore lint/suspicious/noExplicitAny: JSON that a child process sends
  async do(age: Age, task: object): Promise<any> {
    const until = Date.now() + longestMs;
    for (;;)
      try {
        return await this.#ask(age, task);
      } catch (error) {
        const isOver =
          error instanceof Lost ||
          (error instanceof Refused && error.code === "service_unavailable");
        if (!isOver || Date.now() > until) throw error;
        await pause(50);
      }
  }

  // biome-ignore lint/suspicious/noExplicitAny: JSON that a child process sends
  call(age: Age, call: string, ...args: readonly unknown[]): Promise<any> {
    return this.do(age, { call, args });
  }
}
